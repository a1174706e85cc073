import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@postern/testkit'
import t, { type Test } from 'tap'

// From build/test/migration.
const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/migration.md'), 'utf8')
const [, documented = ''] = /Save this as `app\.cjs`[^`]*`node app\.cjs`:\n\n```js\n([^`]*)```/.exec(page) ?? []

/** The same application in TypeScript that compiles to CommonJS. */
const typed = `
import postern, { requireSession } from '@postern/fastify'
import Fastify from 'fastify'
import type { NextAuthOptions } from 'next-auth'
import GitHub from 'next-auth/providers/github'

const authOptions: NextAuthOptions = {
  providers: [GitHub({ clientId: 'id', clientSecret: 'secret' })],
  callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) }
}

async function start(): Promise<void> {
  const app = Fastify()
  await app.register(postern, { ...authOptions, url: 'http://localhost:3000' })
  app.get('/me', { onRequest: requireSession }, async (request) => request.auth?.user)
  await app.listen({ port: 3000 })
}
void start()
`

const env = {
  ...process.env,
  ...{ AUTH_SECRET: 'a secret of the tests, 32 characters or more', NODE_OPTIONS: '' },
  ...{ AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }
}

/** Starts a program, and opens its sign-in page and a protected route. */
async function visit(t: Test, folder: string, port: number): Promise<void> {
  const child = spawn(process.execPath, ['app.cjs'], { cwd: folder, env })
  t.teardown(() => child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ask = (path: string): Promise<Response> =>
    fetch(`http://localhost:${port}${path}`, { headers: { accept: path === '/me' ? 'application/json' : 'text/html' } })
  const open = async (): Promise<Response | null> => {
    while (child.exitCode === null) {
      const response = await ask('/api/auth/signin').catch(() => null)
      if (response) return response
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return null
  }
  const signIn = await open()
  t.equal(signIn?.status, 200, output)
  t.match(await signIn?.text(), /action="[^"]*\/signin\/github"/)
  t.equal((await ask('/me')).status, 401)
  t.notMatch(output, /Warning:/)
}

t.test('the CommonJS application of the page runs, with a provider of next-auth', async (t) => {
  t.match(documented, 'require(')
  const port = await freePort()
  await visit(t, t.testdir({ 'app.cjs': documented.replaceAll('3000', String(port)) }), port)
})

t.test('TypeScript that compiles to CommonJS imports the functions without default', async (t) => {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: true, esModuleInterop: true },
    ...{ types: ['node'], outDir: 'out' }
  }
  const port = await freePort()
  const folder = t.testdir({
    'app.cts': typed.replaceAll('3000', String(port)),
    'package.json': '{ "type": "commonjs" }',
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['app.cts'] })
  })
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['--singleThreaded', '-p', folder], { env })
  t.match(readFileSync(join(folder, 'out/app.cjs'), 'utf8'), 'require("@postern/fastify")')
  await visit(t, join(folder, 'out'), port)
})
