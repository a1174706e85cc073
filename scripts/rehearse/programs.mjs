// The programs that the rehearsal runs and compiles in a user's folders.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const fenced = (text, language) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code)

/** The README's own words: what to install, and the program. */
export function readme(root) {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const install = fenced(text, 'sh').find((code) => code.includes('npm install @postern/fastify'))
  const program = fenced(text, 'ts').find((code) => code.includes('app.listen'))
  if (!install || !program) throw new Error('expected the README to say what to install, and a program')
  const [line] = install.split('\n').filter((one) => one.startsWith('npm install '))
  return { packages: line.slice('npm install '.length).split('#')[0].trim().split(/\s+/), program }
}

/** Starts the README's program on a separate port, and sends requests to it. */
export const visit = `
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})
writeFileSync('app-here.mts', readFileSync('app.mts', 'utf8').replaceAll('3000', String(port)))
const settings = {
  AUTH_SECRET: 'a secret of the rehearsal, 32 characters or more',
  AUTH_GITHUB_ID: 'id',
  AUTH_GITHUB_SECRET: 'secret',
  EMAIL_SERVER: 'smtp://127.0.0.1:2525'
}
const app = spawn(process.execPath, ['app-here.mts'], { env: { ...process.env, ...settings } })
let said = ''
app.stdout.on('data', (text) => { said += text })
app.stderr.on('data', (text) => { said += text })
const origin = 'http://localhost:' + port
const fail = (text) => { console.error(text + '\\n' + said); app.kill(); process.exit(1) }
const until = Date.now() + 20_000
while (!(await fetch(origin).then(() => true, () => false))) {
  if (Date.now() > until || app.exitCode !== null) fail('the program does not answer')
  await new Promise((resolve) => setTimeout(resolve, 100))
}
const expected = [
  ['/', 200, 'Hello stranger'],
  ['/me', 401, 'SESSION_REQUIRED'],
  ['/api/auth/session', 200, '{}'],
  ['/api/auth/signin', 200, 'Sign in with GitHub'],
  ['/api/auth/providers', 200, '/api/auth/callback/github']
]
for (const [path, status, text] of expected) {
  const answer = await fetch(origin + path)
  const body = await answer.text()
  if (answer.status !== status || !body.includes(text)) fail(path + ': ' + answer.status + ' ' + body.slice(0, 300))
}
if (/Warning:/.test(said)) fail('the program was not started without a warning')
app.kill()
app.on('exit', () => process.exit(0))
`

/** Shows a page of a feature in languages whose texts are in files that are loaded when they are first read. */
export const translated = `
import { password } from '@postern/account/password'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern } from '@postern/core'
import email from '@postern/core/providers/email'
import { createRenderer } from '@postern/pages'

const auth = createPostern({
  url: 'http://localhost:3000',
  secret: 'a secret of the rehearsal, 32 characters or more',
  adapter: memoryAdapter(),
  renderer: await createRenderer({ lazy: true }),
  mailer: email({ server: 'smtp://127.0.0.1:2525', from: 'mail@example.com' }),
  providers: [password()]
})
for (const [language, title] of [['en', 'Forgot your password?'], ['de', 'Passwort vergessen?'], ['ja', 'パスワードをお忘れですか？']]) {
  const headers = { accept: 'text/html', 'accept-language': language }
  const page = await auth.fetch(new Request('http://localhost:3000/api/auth/password/forgot', { headers }))
  const html = await page.text()
  if (!html.includes(title)) throw new Error(language + ': expected ' + title + ' in ' + html)
}
await auth.close()
`

/** Every entry point of every package, as `import` and `require()` find it. */
export function loaders(packed) {
  const entries = packed.flatMap(({ manifest, files }) =>
    Object.entries(manifest.exports).flatMap(([entry, target]) => {
      if (target === null || entry.endsWith('.json')) return []
      const name = manifest.name + entry.slice(1)
      if (!entry.includes('*')) return [name]
      const folder = `package/${target.default.slice(2).split('*')[0]}`
      return files
        .filter((file) => file.startsWith(folder) && /^[\w-]+\.js$/.test(file.slice(folder.length)))
        .map((file) => name.replace('*', file.slice(folder.length, -'.js'.length)))
    })
  )
  const listed = JSON.stringify(entries)
  const check = "if (Object.keys(loaded).length === 0) throw new Error(name + ' exports nothing')"
  return {
    count: entries.length,
    'load.mjs': `for (const name of ${listed}) { const loaded = await import(name); ${check} }`,
    'load.cjs': `for (const name of ${listed}) { const loaded = require(name); ${check} }`
  }
}

/** A consumer that uses something of every package, as a module and as CommonJS. */
export const consumers = {
  'all.mts': `import Fastify from 'fastify'
import postern, { limiterOn, type PosternPluginOptions, requireSession } from '@postern/fastify'
import { signInAs } from '@postern/fastify/testing'
import { createPostern, ConfigError, type Adapter, type Session } from '@postern/core'
import { getToken } from '@postern/core/jwt'
import { nodeRuntime } from '@postern/core/node'
import github from '@postern/core/providers/github'
import { accountPages } from '@postern/account/pages'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Feature } from '@postern/core/feature'
import { memoryAdapter } from '@postern/adapters/memory'
import { createRenderer } from '@postern/pages'
import { signIn, useSession } from '@postern/react'

declare module '@postern/core' {
  interface User { role?: string }
}
const note: Feature = { id: 'note', setup: () => ({ routes: [{ method: 'GET', path: '/note', run: (request) => request.screen('note', {}) }] }) }
const options: PosternPluginOptions = { providers: [github], features: [accountPages(), note], adapter: memoryAdapter(), renderer: await createRenderer({ texts: { en: { signIn: { heading: 'Hello' } } } }) }
const app = Fastify()
await app.register(postern, options)
app.get('/', { onRequest: requireSession.with({ freshWithin: 60 }) }, async (request) => {
  const session: Session | null = await request.getSession()
  return session?.user?.name ?? null
})
const adapter: Adapter = sqliteAdapter({ file: ':memory:' })
export { adapter, ConfigError, createPostern, getToken, limiterOn, nodeRuntime, signIn, signInAs, useSession }
`,
  'required.cts': `import postern = require('@postern/fastify')
import core = require('@postern/core')
import github = require('@postern/core/providers/github')

const options: postern.PosternPluginOptions = { providers: [github.default()] }
export const plugin = postern.default
export const auth = core.createPostern(options)
`
}
