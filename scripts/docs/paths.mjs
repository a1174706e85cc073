// The files of core that a request goes through: every function of the built core is made to tell who called it, then
// each path is walked.
import { AsyncLocalStorage } from 'node:async_hooks'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { makeTraced, traced } from './traced-core.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const origin = 'https://app.test'

const load = (file) => import(pathToFileURL(join(root, file)).href)

/** Sends a request as a framework does: with plain values. */
async function sent({ method, url, headers, body }, auth, { parseCookies, parseForm }) {
  const [path, query = ''] = url.split('?')
  const answer = await auth.answer({
    method,
    path: path.slice(auth.basePath.length),
    origin,
    headers,
    query: parseForm(query),
    body: parseForm(body ?? ''),
    cookies: parseCookies(headers.cookie),
    client: null,
    crowd: 1,
    id: 'walk'
  })
  const cookies = answer.setCookies.length > 0 ? { 'set-cookie': answer.setCookies } : {}
  return { status: answer.status, headers: { ...answer.headers, ...cookies }, body: answer.body }
}

/** An application with every way in, told by the traced core. */
async function application(session) {
  const { createPostern } = await load('packages/core/.build-traced/index.js')
  const { default: credentials } = await load('packages/core/dist/providers/credentials.js')
  const { default: email } = await load('packages/core/dist/providers/email.js')
  const { memoryAdapter } = await load('packages/adapters/dist/memory/index.js')
  const kit = await load('packages/testkit/dist/index.js')
  const clock = kit.createClock()
  const mailbox = kit.createMailbox()
  const issuer = kit.createIssuer({ clock, redirectUris: [`${origin}/api/auth/callback/demo`] })
  const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  const demo = { id: 'demo', name: 'Demo', type: 'oidc', issuer: issuer.issuer, clientId: issuer.clientId }
  const options = {
    url: origin,
    secret: 'a secret of the walk, 32 characters or more',
    logger: silent,
    adapter: memoryAdapter(),
    session,
    providers: [
      { ...demo, clientSecret: issuer.clientSecret, authorization: { params: { scope: 'openid email' } } },
      email({ server: 'smtp://mail.test', from: 'app@app.test' }),
      credentials({ credentials: { username: {} }, authorize: () => ({ id: '1', name: 'Grace' }) })
    ],
    runtime: { now: clock.now, fetch: (url, init) => issuer.fetch(url, init), sendMail: mailbox.sendMail }
  }
  let auth = createPostern(options, {})
  const { parseCookies, parseForm } = await load('packages/core/dist/index.js')
  const send = (request) => sent(request, auth, { parseCookies, parseForm })
  // Another process of the same application: it has nothing in memory.
  const restart = () => {
    auth = createPostern(options, {})
  }
  return { mailbox, issuer, restart, newBrowser: () => kit.createBrowser({ origin, send, clock }) }
}

/** Layers that know nothing of a sign-in, and what stands before the store and the application: they are asked. */
export const ground = /^(model|errors|cookies|tokens|http|adapter|hooks|config)\//

const callers = new AsyncLocalStorage()

/** What a run tells of one path. Files of the ground are looked through: whoever asks them calls what they call. */
function newWalk() {
  const [asked, names, doors, calls] = [new Map(), new Map(), new Map(), new Map()]
  return { isOver: false, touched: new Set(), asked, names, doors, calls, returns: new Set() }
}

const add = (map, key, value) => map.set(key, (map.get(key) ?? new Set()).add(value))

/** Notes that a function of a file was entered, and who called it. */
function note({ walk, steps }, file, name) {
  walk.touched.add(file)
  const caller = steps.at(-1)
  if (ground.test(file)) return add(walk.asked, caller, file)
  if (caller === file) return
  if (steps.includes(file)) walk.returns.add(`${caller} → ${file}`)
  add(walk.doors, file, caller)
  add(walk.asked, caller, file)
  add(walk.names, file, name)
  walk.calls.set(file, (walk.calls.get(file) ?? 0) + 1)
}

/** Runs a function of a file; `globalThis.__enter` in the traced core. */
export function enter(file, name, run) {
  const at = callers.getStore()
  if (!at || at.walk.isOver) return run()
  note(at, file, name)
  return ground.test(file) ? run() : callers.run({ walk: at.walk, steps: [...at.steps, file] }, run)
}

globalThis.__enter = enter

/**
 * What one path is: the files that it enters, in their order, how many times each, and what each of them asks.
 *
 * A file is entered where control goes on from it to another file above the ground. One that calls nothing but the
 * ground is asked: it has its answer and control is back.
 */
function pathOf({ touched, asked, names, doors, calls, returns }) {
  const goesOn = (file) => [...(asked.get(file) ?? [])].some((other) => !ground.test(other) && other !== file)
  const files = [...touched].filter((file) => !ground.test(file) && goesOn(file))
  const entered = files.map((file) => ({
    file,
    from: [...doors.get(file)].filter((door) => door !== ''),
    times: calls.get(file),
    names: [...names.get(file)],
    asks: [...(asked.get(file) ?? [])].filter((other) => !files.includes(other) && other !== file)
  }))
  return { entered, touched: [...touched], returns: [...returns] }
}

/** @returns What a run answered, and the path that it took. */
export async function pathOfRun(run) {
  const walk = newWalk()
  const answer = await callers.run({ walk, steps: [''] }, run)
  walk.isOver = true
  return { answer, path: pathOf(walk) }
}

/** Walks every path of an application that keeps its sessions in one way. */
async function walksWith(strategy) {
  const { mailbox, issuer, restart, newBrowser } = await application({ strategy })
  // What the ID Token leaves out has to be asked for: the longest way through.
  issuer.faults.idTokenClaims = ({ email, email_verified, ...claims }) => claims
  const found = []
  const follow = async (name, status, act) => {
    restart()
    const { answer, path } = await pathOfRun(act)
    if (answer.status !== status) throw new Error(`${name}: expected ${status}, got ${answer.status}`)
    found.push({ name, strategy, ...path })
    return answer
  }
  const post = async (browser, path, fields) => {
    const { csrfToken } = await browser.json('/api/auth/csrf')
    return () => browser.post(path, new URLSearchParams({ csrfToken, ...fields }).toString())
  }
  const away = { headers: { 'sec-fetch-site': 'cross-site' } }
  const [one, two, three] = [newBrowser(), newBrowser(), newBrowser()]
  const filled = await post(one, '/api/auth/callback/credentials', { username: 'grace' })
  await follow('Credentials', 302, filled)
  await follow('Session', 200, () => one.open('/api/auth/session'))
  const begun = await follow('OAuth start', 302, await post(two, '/api/auth/signin/demo', {}))
  const callback = await issuer.authorize(begun.location)
  await follow('OAuth callback', 302, () => two.open(callback, away))
  await follow('E-mail start', 302, await post(three, '/api/auth/signin/email', { email: 'ada@example.com' }))
  await follow('E-mail callback', 302, () => three.open(mailbox.last().url, away))
  const { location } = await (await post(three, '/api/auth/signin/demo', {}))()
  const asGrace = await issuer.authorize(location, { sub: 'grace', name: 'Grace', email: 'grace@example.com' })
  await follow('OAuth callback, linking', 302, () => three.open(asGrace, away))
  return found
}

async function walks() {
  makeTraced()
  try {
    return [...(await walksWith('database')), ...(await walksWith('jwt'))]
  } finally {
    rmSync(traced, { recursive: true, force: true })
  }
}

let walked = null

/**
 * Walks every path once for each way of keeping sessions.
 *
 * @returns {Promise<readonly ({ name: string, strategy: string } & ReturnType<typeof pathOf>)[]>}
 */
export function paths() {
  walked ??= walks()
  return walked
}
