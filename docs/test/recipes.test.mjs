// The recipes are parts of applications, which visitors use over HTTP.
import { createHmac } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { password } from '@postern/account/password'
import { secondFactor } from '@postern/account/second-factor'
import { memoryAdapter } from '@postern/adapters/memory'
import email from '@postern/core/providers/email'
import oidc from '@postern/core/providers/oidc'
import postern from '@postern/fastify'
import { getCsrf, signInAs } from '@postern/fastify/testing'
import { ada, createBrowser, createClock, createIssuer, createMailbox, fromInject } from '@postern/testkit'
import Fastify from 'fastify'
import t from 'tap'
import { WebSocket } from 'ws'
import { blocks, docs, settings } from './blocks.mjs'
import { compile } from './compile.mjs'

Object.assign(process.env, settings)
const page = 'docs/recipes.md'
const folder = join(docs, 'build/recipes')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const origin = 'https://app.example.com'
const base = '/api/auth'
const sentence = 'a long sentence to remember'
const mailer = email({ server: 'smtp://localhost', from: 'Example <no-reply@example.com>' })
const quiet = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** The block that contains a text. */
function getBlock(text, of = page) {
  const found = blocks.filter((block) => block.page === of && block.language === 'ts' && block.code.includes(text))
  if (found.length !== 1) throw new Error(`expected one block of ${of} with ${text}, found ${found.length}`)
  return found[0]
}

let count = 0
/** Loads a recipe as a module, with some texts replaced. */
async function load({ code }, replaced = {}) {
  const own = Object.entries(replaced).reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`expected ${from} in the recipe`)
    return before.replaceAll(from, to)
  }, code)
  const file = join(folder, `recipe-${++count}.mts`)
  writeFileSync(file, own)
  return import(pathToFileURL(file).href)
}

/** An application with a recipe, and what the test sees of it. */
async function start(t, options, add = () => undefined) {
  const [clock, mailbox] = [createClock(), createMailbox()]
  const adapter = options.adapter ?? memoryAdapter()
  const app = Fastify()
  await app.register(postern, {
    ...{ url: origin, adapter, mailer, providers: [password()], logger: quiet },
    ...options,
    runtime: { now: clock.now, sendMail: mailbox.sendMail, ...options.runtime }
  })
  await add(app)
  t.teardown(() => app.close())
  const newBrowser = () => createBrowser({ origin, clock, send: fromInject(app) })
  return { app, adapter, clock, mailbox, newBrowser, browser: newBrowser() }
}

/** A server of somebody else. @returns Its origin, and the requests that it got. */
async function serve(t, answer) {
  const requests = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => (body += text))
    request.once('end', () => {
      requests.push({ url: request.url, headers: request.headers, body })
      const { status = 200, json = {} } = answer(requests.at(-1)) ?? {}
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return { origin: `http://127.0.0.1:${server.address().port}`, requests }
}

const path = `${base}/password/sign-up`
const askToSignUp = async (browser, address) =>
  browser.fill(await browser.open(path), path, { email: address, password: sentence })

async function signUp({ browser, mailbox }, address) {
  await askToSignUp(browser, address)
  return browser.fill(await browser.open(mailbox.last().url), 'form')
}

const getSession = (browser) => browser.json(`${base}/session`)

async function signInAt(issuer, browser, id, person) {
  const away = await browser.submit(`${base}/signin/${id}`, {})
  const callback = await issuer.authorize(away.location, person)
  return browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
}

t.test('the recipes compile', async (t) => {
  const own = blocks.filter((block) => block.page === page)
  t.equal(own.length, 10)
  const { status, stdout } = compile(
    join(folder, 'types'),
    own.map(({ line, code }) => [`recipe-${line}.ts`, code])
  )
  t.equal(status, 0, stdout)
})

t.test('only the company’s domain', async (t) => {
  const { providers, callbacks } = await load(getBlock('hd: domain'))
  const clock = createClock()
  const issuer = createIssuer({ issuer: 'https://accounts.google.com', clientId: 'id', clock })
  process.env.AUTH_GOOGLE_ID = 'id'
  process.env.AUTH_GOOGLE_SECRET = 'secret'
  const runtime = { fetch: issuer.fetch, now: clock.now }
  const site = await start(t, { providers, callbacks, runtime })
  const away = await site.browser.submit(`${base}/signin/google`, {})
  t.equal(new URL(away.location).searchParams.get('hd'), 'company.example')
  for (const person of [{ ...ada }, { ...ada, hd: 'evil.example' }, { ...ada, email: 'x@company.example', sub: 'x' }]) {
    const browser = site.newBrowser()
    t.match((await signInAt(issuer, browser, 'google', person)).location, /error=AccessDenied/)
    t.same(await getSession(browser), {})
  }
  const member = { ...ada, sub: 'grace', email: 'grace@company.example', hd: 'company.example' }
  await signInAt(issuer, site.browser, 'google', member)
  t.match(await getSession(site.browser), { user: { email: member.email } })

  await askToSignUp(site.newBrowser(), 'mallory@evil.example')
  await signUp({ ...site, browser: site.newBrowser() }, 'joan@company.example')
  t.notOk(site.mailbox.mails.some(({ to }) => to === 'mallory@evil.example'))
  t.ok(await site.adapter.getUserByEmail('joan@company.example'))
})

t.test('roles', async (t) => {
  process.env.DATABASE_FILE = ':memory:'
  const { adapter, callbacks, requireRole } = await load(getBlock('requireRole'))
  const site = await start(t, { adapter, callbacks }, (app) => {
    app.get('/admin', { onRequest: requireRole('admin', 'support') }, async () => 'the users')
  })
  t.equal((await site.browser.request('GET', '/admin')).status, 401)
  await signUp(site, 'ada@example.com')
  t.match(await getSession(site.browser), { user: { role: 'member' } })
  t.equal((await site.browser.open('/admin')).status, 403)
  const { id } = await adapter.getUserByEmail('ada@example.com')
  await adapter.updateUser({ id, role: 'admin' })
  t.equal((await site.browser.open('/admin')).body, 'the users', 'a new role counts at once')
})

t.test('a provider’s token in a route and in a job is refreshed', async (t) => {
  const clock = createClock()
  const issuer = createIssuer({ clientId: 'id', refreshTokens: true, clock })
  const api = await serve(t, ({ headers }) => ({ json: { token: headers.authorization } }))
  const { addCalendar, readCalendar } = await load(getBlock('readCalendar'), {
    'https://api.company.example': api.origin
  })
  const provider = { id: 'company', name: 'Company', issuer: issuer.issuer, clientId: 'id', clientSecret: 'secret' }
  const site = await start(
    t,
    { providers: [oidc(provider)], runtime: { fetch: issuer.fetch, now: clock.now } },
    addCalendar
  )
  await signInAt(issuer, site.browser, 'company')
  const first = (await site.browser.open('/events')).json().token
  t.match(first, /^Bearer \S+/)
  t.equal((await site.browser.open('/events')).json().token, first)
  clock.advance(2 * 3600)
  const second = (await site.browser.open('/events')).json().token
  t.not(second, first, 'refreshed in a route')
  const { id } = await site.adapter.getUserByEmail(ada.email)
  clock.advance(2 * 3600)
  t.notOk([first, second].includes((await readCalendar(site.app, id)).token), 'refreshed in a job')
  await t.rejects(readCalendar(site.app, 'nobody'), { code: 'UNKNOWN_ACCOUNT' })
  issuer.faults.respond = ({ url }) =>
    url.endsWith('/token') ? Response.json({ error: 'invalid_grant' }, { status: 400 }) : undefined
  clock.advance(2 * 3600)
  t.match((await site.browser.open('/events')).status, 401)
  await t.rejects(readCalendar(site.app, id), { code: 'GRANT_ENDED' })
})

t.test('the account pages in the layout of the application', async (t) => {
  const { renderer, features } = await load(getBlock('accountPages({ path'))
  const site = await start(t, { renderer, features: [...features, secondFactor()] })
  await signUp(site, 'ada@example.com')
  for (const at of ['/settings', '/settings/profile', '/settings/devices', '/settings/password', '/settings/factors']) {
    const shown = await site.browser.open(at)
    t.equal(shown.status, 200, at)
    t.equal(shown.html().querySelector('header.site a[aria-current]')?.getAttribute('href'), '/settings', at)
    t.ok(shown.html().querySelector('head link[href="/site.css"]'), at)
    t.match(shown.headers['content-security-policy'], /style-src 'self'/)
  }
  for (const at of [`${base}/signin`, path]) t.notMatch((await site.newBrowser().open(at)).body, /class="site"/, at)
})

t.test('mail through Resend and Amazon SES', async (t) => {
  const ses = await serve(t, () => ({ json: { MessageId: 'id' } }))
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AUTH_RESEND_KEY: 'key' })
  const { byResend, bySes } = await load(getBlock('SESv2Client'), {
    "region: 'eu-central-1'": `region: 'eu-central-1', endpoint: '${ses.origin}'`
  })
  const posted = []
  const fetch = async (url, { headers, body }) => {
    posted.push({ url, authorization: new Headers(headers).get('authorization'), body: JSON.parse(body) })
    return Response.json({ id: 'id' })
  }
  const byService = await start(t, { mailer: byResend, runtime: { fetch } })
  t.match((await askToSignUp(byService.browser, 'ada@example.com')).location, /check-mail/)
  t.match(posted, [
    { url: 'https://api.resend.com/emails', authorization: 'Bearer key', body: { to: 'ada@example.com', html: /http/ } }
  ])
  // The mail goes through nodemailer and the client of AWS.
  const byAmazon = await start(t, { mailer: bySes, runtime: { sendMail: undefined } })
  t.match((await askToSignUp(byAmazon.browser, 'ada@example.com')).location, /check-mail/)
  t.equal(ses.requests.length, 1)
  t.match(ses.requests[0], { url: '/v2/email/outbound-emails', headers: { authorization: /^AWS4-HMAC-SHA256 / } })
  const { Content, Destination } = JSON.parse(ses.requests[0].body)
  const mail = Buffer.from(Content.Raw.Data, 'base64').toString()
  t.match(mail, /^To: ada@example\.com\r$/m)
  t.same(Destination, { ToAddresses: ['ada@example.com'] })
})

t.test('failed sign-ins are logged, without what was typed', async (t) => {
  const { logFailedSignIns, features } = await load(getBlock('logFailedSignIns'))
  t.equal(features.length, 1)
  const failed = []
  const site = await start(t, { features: [logFailedSignIns((entry) => failed.push(entry))] })
  await signUp(site, 'ada@example.com')
  const browser = site.newBrowser()
  const typed = { email: 'ada@example.com', password: 'another long sentence' }
  await browser.fill(await browser.open(`${base}/signin`), `${base}/callback/password`, typed)
  t.match(failed, [{ code: 'CredentialsSignin', provider: 'password', client: '127.0.0.1' }])
  t.notMatch(JSON.stringify(failed), /ada@|another/)
})

t.test('a webhook on sign-up is signed, and does not stop the sign-in if it fails', async (t) => {
  const status = { now: 200 }
  const hook = await serve(t, () => ({ status: status.now }))
  const { events } = await load(getBlock('createHmac'), { 'https://crm.example.com': hook.origin })
  const site = await start(t, { events })
  await signUp(site, 'ada@example.com')
  const [{ headers, body }] = hook.requests
  t.match(JSON.parse(body), { id: String, email: 'ada@example.com' })
  t.equal(headers['x-signature'], createHmac('sha256', 'a secret of both sides').update(body).digest('hex'))
  status.now = 500
  const other = { ...site, browser: site.newBrowser() }
  await signUp(other, 'grace@example.com')
  t.match(await getSession(other.browser), { user: { email: 'grace@example.com' } })
  t.equal(hook.requests.length, 2)
})

/** Opens a WebSocket. @returns It, or the status that refused it. */
const connect = (url, headers) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers })
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode))
    socket.once('error', reject)
  })

t.test('a WebSocket of the own origin, with a session', async (t) => {
  const { addLive } = await load(getBlock('@fastify/websocket'), { '30_000': '20' })
  const site = await start(t, { providers: [password()] }, addLive)
  const at = (await site.app.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws')
  const cookies = await signInAs(site.app, { email: 'ada@example.com', name: 'Ada' }, { origin })
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  t.equal(await connect(`${at}/live`, { cookie, origin: 'https://evil.example.com' }), 403, 'a foreign origin')
  t.equal(await connect(`${at}/live`, { cookie }), 403, 'no origin')
  t.equal(await connect(`${at}/live`, { origin }), 401, 'no session')
  const socket = await connect(`${at}/live`, { cookie, origin })
  const answer = new Promise((resolve) => socket.once('message', (text) => resolve(String(text))))
  socket.send('hello')
  t.equal(await answer, 'Ada: hello')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const { id } = await site.adapter.getUserByEmail('ada@example.com')
  await site.app.postern.sessions.revokeAll(id)
  t.equal(await closed, 4401, 'the end of the session closes it')
})

t.test('GraphQL with the session', async (t) => {
  const { addGraphQl } = await load(getBlock('mercurius'))
  const site = await start(t, { providers: [password()] }, addGraphQl)
  const ask = async (query, cookies = {}, type = 'application/json') =>
    site.app.inject({
      ...{ method: 'POST', url: '/graphql', cookies, headers: { 'content-type': type } },
      payload: type === 'application/json' ? JSON.stringify({ query }) : `query=${encodeURIComponent(query)}`
    })
  const rename = 'mutation { rename(name: "Grace") { name email } }'
  t.same((await ask('{ me { email } }')).json(), { data: { me: null } })
  t.match((await ask(rename)).json(), { errors: [{ extensions: { code: 'SESSION_REQUIRED' } }] })
  const cookies = await signInAs(site.app, { email: 'ada@example.com', name: 'Ada' }, { origin })
  t.same((await ask('{ me { name } }', cookies)).json(), { data: { me: { name: 'Ada' } } })
  t.match((await ask(rename, cookies)).json(), { data: { rename: { name: 'Grace', email: 'ada@example.com' } } })
  for (const type of ['application/x-www-form-urlencoded', 'text/plain'])
    t.ok((await ask(rename, cookies, type)).statusCode >= 400, `a form of another site: ${type}`)
  const url = `/graphql?query=${encodeURIComponent(rename)}`
  t.notMatch((await site.app.inject({ url, cookies })).body, /"Grace"/, 'a link of another site')
})

t.test('support staff resets a second factor', async (t) => {
  const { addSupport } = await load(getBlock('addSupport'))
  const site = await start(t, { features: [secondFactor()] }, addSupport)
  await signUp(site, 'ada@example.com')
  const { id } = await site.adapter.getUserByEmail('ada@example.com')
  const { factors } = site.app.postern.features
  await factors.importTotp(id, { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  t.equal((await factors.list(id)).length, 1)
  const reset = async (user, amr, address) => {
    const session = await signInAs(site.app, { email: user }, { origin, amr, authTime: new Date(site.clock.now()) })
    const { csrfToken, cookies } = await getCsrf(site.app, { cookies: session, origin })
    const payload = { csrfToken, email: address }
    return site.app.inject({ method: 'POST', url: '/support/reset-second-factor', cookies, payload })
  }
  const mfa = ['pwd', 'otp', 'mfa']
  t.equal((await reset('grace@example.com', mfa, 'ada@example.com')).statusCode, 403)
  t.equal((await reset('support@example.com', ['pwd'], 'ada@example.com')).statusCode, 401)
  t.equal((await reset('support@example.com', mfa, 'nobody@example.com')).statusCode, 404)
  t.equal((await factors.list(id)).length, 1)
  t.equal((await reset('support@example.com', mfa, 'ada@example.com')).statusCode, 200)
  t.equal((await factors.list(id)).length, 0)
  t.same(await getSession(site.browser), {}, 'the sessions of the user have ended')
})

t.test('90 days for those who stay signed in', async (t) => {
  const { options } = await load(getBlock('password({ remember: true })', 'docs/passwords.md'))
  const site = await start(t, options)
  await signUp(site, 'ada@example.com')
  const signIn = async (fields) => {
    const browser = site.newBrowser()
    const typed = { email: 'ada@example.com', password: sentence, ...fields }
    const done = await browser.fill(await browser.open(`${base}/signin`), `${base}/callback/password`, typed)
    return { browser, cookie: done.setCookies.find(({ name }) => name.endsWith('session-token')) }
  }
  const [kept, other] = [await signIn({ remember: 'on' }), await signIn({})]
  t.equal(kept.cookie.expires?.getTime(), site.clock.now() + 90 * 86_400_000)
  t.equal(other.cookie.expires, null, 'a cookie of the browser’s session')
  site.clock.advance(89 * 86_400)
  t.match(await getSession(kept.browser), { user: { email: 'ada@example.com' } })
  site.clock.advance(91 * 86_400)
  t.same(await getSession(kept.browser), {})
})

t.test('a captcha is asked before a mail is sent', async (t) => {
  const right = 'a token of the widget'
  const service = await serve(t, ({ body }) => {
    const { response, secret } = Object.fromEntries(new URLSearchParams(body))
    return { json: { success: response === right && secret === 'the secret of the site', 'error-codes': [] } }
  })
  process.env.TURNSTILE_SECRET = 'the secret of the site'
  const { options } = await load(getBlock('turnstile', 'docs/passwords.md'), {
    'fetch(`${service}': `fetch(\`${service.origin}`
  })
  const site = await start(t, options)
  const shown = await site.browser.open(path)
  t.equal(shown.html().querySelector('.cf-turnstile')?.getAttribute('data-sitekey'), '1x00000000000000000000AA')
  t.match(shown.body, /<script[^>]* src="https:\/\/challenges\.cloudflare\.com\/turnstile\/v0\/api\.js"/)
  t.match(shown.headers['content-security-policy'], /script-src[^;]* https:\/\/challenges\.cloudflare\.com/)
  t.match(shown.headers['content-security-policy'], /frame-src https:\/\/challenges\.cloudflare\.com/)
  const forgot = await site.browser.open(`${base}/password/forgot`)
  t.match(
    forgot.headers['content-security-policy'],
    /script-src https:\/\/challenges\.cloudflare\.com/,
    'no other script'
  )
  const fields = { email: 'ada@example.com', password: sentence }
  const send = (token) => site.browser.submit(path, { ...fields, ...token })
  for (const token of [{}, { 'cf-turnstile-response': 'another' }]) t.equal((await send(token)).status, 400)
  t.equal(site.mailbox.mails.length, 0)
  t.match((await send({ 'cf-turnstile-response': right })).location, /check-mail/)
  t.equal(site.mailbox.mails.length, 1)
  const sent = Object.fromEntries(new URLSearchParams(service.requests.at(-1).body))
  t.same(Object.keys(sent).sort(), ['remoteip', 'response', 'secret'])

  const { options: byMail } = await load(getBlock('turnstile', 'docs/email.md'), {
    'fetch(`${service}': `fetch(\`${service.origin}`
  })
  const other = await start(t, byMail)
  const page = await other.browser.open(`${base}/signin`)
  t.ok(page.html().querySelector('form .cf-turnstile'))
  for (const directive of ['script-src', 'frame-src'])
    t.match(
      page.headers['content-security-policy'],
      new RegExp(`${directive}[^;]* https://challenges\\.cloudflare\\.com`)
    )
  const ask = (token) => other.browser.submit(`${base}/signin/email`, { email: 'ada@example.com', ...token })
  t.match((await ask({})).location, /reason=captcha/)
  t.equal(other.mailbox.mails.length, 0)
  t.match((await ask({ 'cf-turnstile-response': right })).location, /verify-request/)
  t.equal(other.mailbox.mails.length, 1)
})
