// Counts the functions and files of the core that the sign-in of a known user by a provider runs, from the press of the button to
// the session: V8 counts them precisely. Packages have to be built.
//   node scripts/sign-in-coverage.mjs [--list] [--json] [CHECKOUT]
import { Session } from 'node:inspector/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, json: { type: 'boolean' } }
})
const checkout = resolve(positionals[0] ?? fileURLToPath(new URL('..', import.meta.url)))
const core = join(checkout, 'packages/core/dist/')
const load = (path) => import(pathToFileURL(join(checkout, 'packages', path)).href)
const folders = ['actions', 'accounts', 'adapter', 'sessions']
const counted = new RegExp(`^(${folders.join('|')})/`)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** The functions that have run since the last call, as `{ file, name, at }`. The code of a module itself is none. */
async function takeFunctions() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const scripts = result.filter(({ url }) => url.startsWith(pathToFileURL(core).href) && !url.includes('/bundle/'))
  return scripts.flatMap(({ url, functions }) => {
    const file = fileURLToPath(url).slice(core.length).replace(/\.js$/, '.ts')
    return functions.flatMap(({ functionName, ranges: [range] }) =>
      range.count > 0 && !(functionName === '' && range.startOffset === 0)
        ? [{ file, name: functionName, at: range.startOffset }]
        : []
    )
  })
}

async function start(strategy) {
  const [{ createPostern }, testkit, { memoryAdapter }] = await Promise.all([
    load('core/dist/index.js'),
    load('testkit/dist/index.js'),
    load('adapters/dist/memory/index.js')
  ])
  const { createBrowser, createClock, createIssuer, fromFetch } = testkit
  const clock = createClock()
  const issuer = createIssuer({ clock })
  const { clientId, clientSecret } = issuer
  const demo = { id: 'demo', name: 'Demo', type: 'oidc', issuer: issuer.issuer, clientId, clientSecret }
  const postern = createPostern(
    {
      url: 'https://app.test',
      secret: 'a secret of the tests, 32 characters or more',
      adapter: memoryAdapter({ now: clock.now }),
      session: { strategy },
      providers: [{ ...demo, authorization: { params: { scope: 'openid email profile' } } }],
      runtime: { now: clock.now, fetch: (url, init) => issuer.fetch(url, init) }
    },
    {}
  )
  const signIn = async () => {
    const browser = createBrowser({ origin: 'https://app.test', send: fromFetch(postern.fetch), clock })
    const form = await browser.open('/api/auth/signin')
    if (form.status !== 200) throw new Error(`expected the sign-in page, got ${form.status}`)
    await takeFunctions()
    const { location } = await browser.submit('/api/auth/signin/demo', {})
    const started = await takeFunctions()
    const returned = await issuer.authorize(location)
    await takeFunctions()
    await browser.open(returned, { headers: { 'sec-fetch-site': 'cross-site' } })
    const finished = await takeFunctions()
    const { user } = await browser.json('/api/auth/session')
    if (!user) throw new Error('expected a session')
    return { started, finished }
  }
  return { signIn, close: () => postern.close() }
}

const byPlace = (one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : one.at - other.at)
const filesOf = (functions) => [...new Set(functions.map(({ file }) => file))].sort()

/** The functions of the whole sign-in, and the files that run when the user returns from the provider. */
async function measure(strategy) {
  const { signIn, close } = await start(strategy)
  // The first sign-in creates the user, and loads what is loaded on first use.
  await signIn()
  const { started, finished } = await signIn()
  await close()
  const byKey = new Map([...started, ...finished].map((one) => [`${one.file} ${one.at}`, one]))
  return { ran: [...byKey.values()].sort(byPlace), returned: filesOf(finished) }
}

const results = {}
for (const strategy of ['database', 'jwt']) {
  const { ran, returned } = await measure(strategy)
  const functions = ran.filter(({ file }) => counted.test(file))
  const files = filesOf(functions)
  results[strategy] = { functions: functions.length, files, returned }
  if (values.json) continue
  const all = `${ran.length} in ${filesOf(ran).length} of the core`
  console.log(`${strategy}: ${functions.length} functions in ${files.length} files of ${folders.join(', ')}; ${all}`)
  const namesIn = (file) => functions.flatMap((one) => (one.file === file ? [one.name || `(at ${one.at})`] : []))
  if (values.list) for (const file of files) console.log(`  ${file}: ${namesIn(file).join(', ')}`)
}
if (values.json) console.log(JSON.stringify(results))
