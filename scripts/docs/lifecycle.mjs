// The files of core that a request enters: every function of the built core is made to say so, then each path is walked.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ts = createRequire(join(root, 'docs/package.json'))('typescript')
const origin = 'https://app.test'

/** Below `core`, so that its dependencies are found. */
const traced = join(root, 'packages/core/.build-traced')

/** Puts a word at the beginning of every function. */
function telling(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const call = `globalThis.__entered?.(${JSON.stringify(file)})`
  const inserts = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && !ts.isConstructorDeclaration(node)) {
      if (ts.isBlock(node.body)) inserts.push([node.body.getStart() + 1, `${call};`])
      else inserts.push([node.body.getStart(), `(${call},`], [node.body.getEnd(), ')'])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const parts = []
  let end = 0
  for (const [at, word] of inserts.sort(([one], [other]) => one - other)) {
    parts.push(text.slice(end, at), word)
    end = at
  }
  return parts.join('') + text.slice(end).replace(/\/\/# sourceMappingURL.*/, '')
}

function makeTraced() {
  rmSync(traced, { recursive: true, force: true })
  const built = join(root, 'packages/core/dist')
  cpSync(built, traced, { recursive: true, filter: (file) => file !== join(built, 'bundle') })
  for (const file of globSync('**/*.js', { cwd: traced })) {
    if (!file.startsWith('providers/'))
      writeFileSync(join(traced, file), telling(file.replace(/js$/, 'ts'), readFileSync(join(traced, file), 'utf8')))
  }
}

const load = (file) => import(pathToFileURL(join(root, file)).href)

/** An application with every way in, told by the traced core. */
async function application() {
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
  const auth = createPostern(
    {
      url: origin,
      secret: 'a secret of the walk, 32 characters or more',
      logger: silent,
      adapter: memoryAdapter(),
      providers: [
        { ...demo, clientSecret: issuer.clientSecret, authorization: { params: { scope: 'openid email' } } },
        email({ server: 'smtp://mail.test', from: 'app@app.test' }),
        credentials({ credentials: { username: {} }, authorize: () => ({ id: '1', name: 'Grace' }) })
      ],
      runtime: { now: clock.now, fetch: (url, init) => issuer.fetch(url, init), sendMail: mailbox.sendMail }
    },
    {}
  )
  // As a framework calls it: with plain values.
  const send = async ({ method, url, headers, body }) => {
    const [path, query = ''] = url.split('?')
    const { parseCookies, parseForm } = await load('packages/core/dist/index.js')
    const {
      status,
      headers: answered,
      setCookies,
      body: text
    } = await auth.answer({
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
    return {
      status,
      headers: { ...answered, ...(setCookies.length > 0 ? { 'set-cookie': setCookies } : {}) },
      body: text
    }
  }
  return { mailbox, issuer, newBrowser: () => kit.createBrowser({ origin, send, clock }) }
}

/**
 * Walks every path once.
 *
 * @returns {Promise<readonly { name: string, files: readonly string[] }[]>} The files in the order in which they are
 * entered first.
 */
export async function walks() {
  makeTraced()
  const found = []
  try {
    const { mailbox, issuer, newBrowser } = await application()
    const walk = async (name, status, act) => {
      const files = new Set()
      globalThis.__entered = (file) => void files.add(file)
      const response = await act()
      globalThis.__entered = undefined
      if (response.status !== status) throw new Error(`${name}: expected ${status}, got ${response.status}`)
      found.push({ name, files: [...files] })
      return response
    }
    const post = async (browser, path, fields) => {
      const { csrfToken } = await browser.json('/api/auth/csrf')
      return () => browser.post(path, new URLSearchParams({ csrfToken, ...fields }).toString())
    }
    const away = { headers: { 'sec-fetch-site': 'cross-site' } }
    const [one, two, three] = [newBrowser(), newBrowser(), newBrowser()]
    const filled = await post(one, '/api/auth/callback/credentials', { username: 'grace' })
    await walk('Credentials', 302, filled)
    await walk('Session', 200, () => one.open('/api/auth/session'))
    const begun = await walk('OAuth start', 302, await post(two, '/api/auth/signin/demo', {}))
    const callback = await issuer.authorize(begun.location)
    await walk('OAuth callback', 302, () => two.open(callback, away))
    await walk('E-mail start', 302, await post(three, '/api/auth/signin/email', { email: 'ada@example.com' }))
    await walk('E-mail callback', 302, () => three.open(mailbox.last().url, away))
  } finally {
    globalThis.__entered = undefined
    rmSync(traced, { recursive: true, force: true })
  }
  return found
}

/** Folders whose functions are asked for a value and ask nobody back. */
const leaves =
  /^(model|errors|cookies|tokens|config)\/|^http\/(?!response)|^csrf\/csrf-token|^adapter\/(?!store|to-store)/

const mark = '<!-- below: written by pnpm docs:write -->'

/** @returns The page: what somebody wrote, and the files of each path below. */
export async function lifecyclePage() {
  const text = readFileSync(join(root, 'docs/lifecycle.md'), 'utf8')
  const [written] = text.split(mark)
  const found = await walks()
  const counts = found.map(({ name, files }) => {
    const deciding = files.filter((file) => !leaves.test(file))
    return `| ${name} | ${deciding.length} | ${files.length - deciding.length} |`
  })
  const lists = found.map(({ name, files }) => {
    const deciding = files.filter((file) => !leaves.test(file))
    const asked = files.filter((file) => leaves.test(file))
    const list = (some) => some.map((file) => `\`${file}\``).join(', ')
    return `### ${name}\n\n${deciding.map((file, index) => `${index + 1}. \`${file}\``).join('\n')}\n\nAsked on the way: ${list(asked.toSorted())}.\n`
  })
  return `${written}${mark}

| Path | Files that decide | Files that are asked for a value |
| --- | --- | --- |
${counts.join('\n')}

${lists.join('\n')}`
}
