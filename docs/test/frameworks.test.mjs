// The programs of the page about other frameworks run, and a visitor signs up, in and out with each of them.
// @alone: programs beside it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBrowser, createIssuer, freePort } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { blocks, docs, lacks, withDatabase } from './blocks.mjs'
import { compile } from './compile.mjs'
import { sendFrom, startProgram } from './http.mjs'
import { sources, toAnswer } from './lambda-events.mjs'

const folder = join(docs, 'build/frameworks')
const own = blocks.filter(({ page, file }) => page === 'docs/frameworks.md' && file)
const getBlock = (name) => own.find(({ file }) => file === name)
const password = 'a long sentence to remember'

t.test('the programs of the page compile', async (t) => {
  t.same(
    own.map(({ file }) => file),
    ['auth.mts', 'hono.mts', 'express.mts', 'session.guard.ts', 'main.ts', 'lambda.mts', 'worker.mts']
  )
  const files = [...own.map(({ file, code }) => [file, code]), ['package.json', '{"type":"module"}']]
  const { status, stdout } = compile(join(folder, 'types'), files, { experimentalDecorators: true })
  t.equal(status, 0, stdout)
})

/** A mail server, and the links of the mails that it received, by recipient. */
async function startMailServer(t) {
  const [links, waiting] = [new Map(), new Map()]
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      let text = ''
      stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      stream.once('end', () => {
        const [link] = /https?:\/\/\S*token\S*/.exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '=')) ?? []
        const to = envelope.rcptTo[0].address
        links.set(to, link)
        waiting.get(to)?.(link)
        done()
      })
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  const getLink = (to) => links.get(to) ?? new Promise((resolve) => waiting.set(to, resolve))
  return { url: `smtp://127.0.0.1:${server.server.address().port}`, getLink }
}

/** Writes the programs into a folder of their own, for a port. Database sessions are renewed at each use. */
function writePrograms(name, port) {
  const own = join(folder, name)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'package.json'), '{"type":"module"}')
  for (const file of ['auth.mts', 'hono.mts', 'express.mts', 'session.guard.ts', 'main.ts']) {
    const code = getBlock(file).code.replaceAll('3000', String(port))
    writeFileSync(
      join(own, file),
      code.replace('providers: [password()]', 'providers: [password()], session: { updateAge: 0 }')
    )
  }
  return own
}

/** Nest has decorators, which Node does not remove. */
const bundle = (folder) =>
  build({
    entryPoints: [join(folder, 'main.ts')],
    outfile: join(folder, 'main.mjs'),
    ...{ bundle: true, packages: 'external', format: 'esm', target: 'node22', logLevel: 'silent' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } }
  })

/** A visitor signs up with a password, out, and in again. */
async function useProgram(t, { origin, getLink, redirects }) {
  const email = 'ada@example.com'
  const browser = createBrowser({ origin, send: sendFrom('127.0.0.2') })
  const stranger = await browser.open('/me')
  if (redirects) {
    t.equal(stranger.status, 302)
    t.equal(stranger.location, `/api/auth/signin?${new URLSearchParams({ callbackUrl: '/me' })}`)
  } else t.equal(stranger.status, 401)
  t.match(await browser.json('/api/auth/session'), {})
  const path = '/api/auth/password/sign-up'
  const asked = await browser.fill(await browser.open(`${path}?callbackUrl=/me`), path, { email, password })
  t.match(asked.location, /check-mail/)
  await browser.fill(await browser.open(await getLink(email)), 'form')
  t.match((await browser.open('/me')).json(), { email })

  const renewed = await browser.open('/me')
  t.match(renewed.setCookies, [{ name: /session-token/ }], 'a renewed session is set')
  const out = await browser.fill(await browser.open('/api/auth/signout'), '/api/auth/signout')
  t.equal(out.status, 302)
  t.equal((await browser.open('/me')).status, stranger.status)

  const page = await browser.open('/api/auth/signin?callbackUrl=/me')
  const wrong = await browser.fill(page, '/api/auth/callback/password', { email, password: 'not this sentence' })
  t.match((await browser.follow(wrong)).body, /role="alert"/)
  const signedIn = await browser.fill(page, '/api/auth/callback/password', { email, password })
  t.equal(signedIn.location, `${origin}/me`)
  t.match((await browser.follow(signedIn)).json(), { email })
  t.match((await browser.open('/.well-known/change-password')).location, /\/api\/auth\/password$/)
  t.equal((await browser.request('GET', '/api/auth/nothing')).status, 400)
  const long = await browser.post('/api/auth/signin/password', `a=${'x'.repeat(200_000)}`)
  t.equal(long.status, 413, 'a body is limited')
}

/** The address of the client, as it was stored with the sessions. */
function getAddresses(file) {
  const db = new Database(file, { readonly: true })
  const rows = db.prepare('select distinct address from postern_session').pluck().all()
  db.close()
  // A socket for both versions of IP shows an address of version 4 inside one of version 6.
  return rows.map((address) => address.replace('::ffff:', ''))
}

const programs = { 'hono.mts': true, 'express.mts': true, 'main.ts': false }

// In `npm test` one of them is driven: all compile.
for (const [file, redirects] of inTurn(Object.entries(programs))()) {
  t.test(`${file}: a visitor signs up, out and in`, async (t) => {
    const [port, mail] = [await freePort(), await startMailServer(t)]
    const cwd = writePrograms(file.replace(/\W/g, '-'), port)
    if (file === 'main.ts') await bundle(cwd)
    const database = join(cwd, 'app.db')
    const env = { EMAIL_SERVER: mail.url, DATABASE_FILE: database }
    const program = await startProgram(t, file === 'main.ts' ? 'main.mjs' : file, { port, cwd, env })
    await useProgram(t, { origin: `http://localhost:${port}`, getLink: mail.getLink, redirects })
    const { code, signal } = await program.end()
    // Nest sends itself the signal again when it has closed.
    t.ok(code === 0 || (file === 'main.ts' && signal === 'SIGTERM'), program.getOutput())
    t.notMatch(program.getOutput(), /Warning:/)
    t.same(getAddresses(database), ['127.0.0.2'], 'limits and mails know the client')
  })
}

const company = 'https://login.company.example'
const origin = 'https://app.example.com'

/** A user of the company signs in and out. @param send - To the program. */
async function useCompany(t, issuer, send) {
  const browser = createBrowser({ origin, send })
  const asked = await browser.open('/me?ids=1,2')
  t.equal(asked.status, 302)
  const page = await browser.follow(asked)
  const away = await browser.fill(page, '/api/auth/signin/company')
  t.match(away.location, company)
  const back = await browser.open(await issuer.authorize(away.location), {
    headers: { 'sec-fetch-site': 'cross-site' }
  })
  return { browser, back }
}

const lambda = getBlock('lambda.mts')

t.test('lambda.mts: a user of the company signs in and out', { skip: await lacks(lambda) }, async (t) => {
  await withDatabase(async (url) => {
    const issuer = createIssuer({ issuer: company, clientId: 'id' })
    globalThis.frameworksTest = { fetch: issuer.fetch }
    Object.assign(process.env, { AUTH_SECRET: 'a secret of the tests, 32 characters or more' })
    Object.assign(process.env, { AUTH_COMPANY_ID: 'id', AUTH_COMPANY_SECRET: 'secret' })
    const code = lambda.code
      .replace('postgres://localhost/app', url)
      .replace('migrate: false', 'migrate: true')
      .replace('  url: ', '  runtime: (globalThis as any).frameworksTest,\n  url: ')
      .replace('await app.ready()', 'await app.ready()\nexport { app }')
    const load = async (name, code) => {
      writeFileSync(join(folder, name), code)
      return import(pathToFileURL(join(folder, name)).href)
    }
    const gateway = await load('lambda.mts', code)
    const option = 'parseCommaSeparatedQueryParams: false'
    const balanced = await load('balanced.mts', code.replace(option, `${option}, albMultiValueHeaders: true`))
    for (const [name, toEvent] of Object.entries(sources)) {
      await t.test(name, async (t) => {
        const { handler } = name.startsWith('a load balancer') ? balanced : gateway
        const { browser, back } = await useCompany(t, issuer, async (request) =>
          toAnswer(await handler(toEvent(request, '192.0.2.7'), {}))
        )
        t.equal(decodeURIComponent(back.location), `${origin}/me?ids=1,2`, 'a comma stays in the query')
        t.match((await browser.follow(back)).json(), { email: 'ada@example.com' })
        const out = await browser.fill(await browser.open('/api/auth/signout'), '/api/auth/signout')
        t.equal(out.status, 302)
        t.match((await browser.open('/me')).location, /signin/)
      })
    }
    for (const { app } of [gateway, balanced]) await app.close()
  })
})

t.test('worker.mts: a user of the company signs in and out, in the runtime of Cloudflare', async (t) => {
  const issuer = createIssuer({ issuer: company, clientId: 'id' })
  const file = join(folder, 'worker.mts')
  writeFileSync(file, getBlock('worker.mts').code)
  const { outputFiles } = await build({
    entryPoints: [file],
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral', target: 'es2023' },
    ...{ conditions: ['workerd', 'worker', 'browser'], mainFields: ['module', 'main'] }
  })
  const worker = new Miniflare({
    modules: true,
    script: outputFiles[0].text,
    compatibilityDate: '2026-01-01',
    bindings: {
      AUTH_SECRET: 'a secret of the tests, 32 characters or more',
      AUTH_COMPANY_ID: 'id',
      AUTH_COMPANY_SECRET: 'secret'
    },
    outboundService: async (request) => {
      const body = request.body === null ? {} : { body: await request.text() }
      const response = await issuer.fetch(request.url, { method: request.method, headers: request.headers, ...body })
      return new Response(await response.text(), response)
    }
  })
  t.teardown(() => worker.dispose())
  const send = async ({ method, url, headers, body }) => {
    const init = { method, headers: { ...headers, 'cf-connecting-ip': '192.0.2.7' }, redirect: 'manual' }
    const response = await worker.dispatchFetch(origin + url, body === undefined ? init : { ...init, body })
    const cookies = response.headers.getSetCookie()
    const all = { ...Object.fromEntries(response.headers), ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) }
    return { status: response.status, headers: all, body: await response.text() }
  }
  const { browser, back } = await useCompany(t, issuer, send)
  t.equal(back.location, `${origin}/me`)
  t.match((await browser.follow(back)).json(), { email: 'ada@example.com' })
  const out = await browser.fill(await browser.open('/api/auth/signout'), '/api/auth/signout')
  t.equal(out.status, 302)
  t.match((await browser.open('/me')).location, /signin/)
})
