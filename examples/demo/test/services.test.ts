import { createHash } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { type Browser, createBrowser, fromFetch, fromInject } from '@postern/testkit'
import Fastify from 'fastify'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { createTransport } from 'nodemailer'
import t, { type Test } from 'tap'
import { startIdentityProvider } from '../src/services/identity-provider.ts'
import { inbox } from '../src/services/inbox.ts'
import { listen } from '../src/services/listening.ts'
import { type Mail, startMailServer } from '../src/services/mail-server.ts'

const redirectUri = 'http://localhost:9/api/auth/callback/demo'
const client = { clientId: 'demo', clientSecret: 'demo-secret', redirectUris: [redirectUri] }
const verifier = 'a-verifier-of-forty-three-characters-or-more'

interface Metadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
  readonly end_session_endpoint: string
}

interface Provider {
  readonly issuer: string
  readonly browser: Browser
  readonly metadata: Metadata
}

async function startProvider(t: Test): Promise<Provider> {
  const { issuer, close } = await startIdentityProvider({ ...client, port: 0 })
  t.teardown(close)
  const browser = createBrowser({ origin: issuer, send: fromFetch(fetch) })
  return { issuer, browser, metadata: await browser.json('/.well-known/openid-configuration') }
}

function authorizationUrl({ metadata }: Provider, changes: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes
  })
  return `${metadata.authorization_endpoint}?${parameters}`
}

/** Opens the login page and presses a button there, until the redirect back to the application. */
async function choose(provider: Provider, button: string, changes = {}): Promise<URL> {
  const { browser } = provider
  const page = await browser.followAll(await browser.open(authorizationUrl(provider, changes)))
  t.equal(page.status, 200, 'the login page is shown')
  const end = await browser.followAll(await browser.fill(page, button))
  return new URL(end.location ?? '')
}

function exchange({ metadata }: Provider, callback: URL, changes = {}): Promise<Response> {
  const credentials = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
  return fetch(metadata.token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes
    })
  })
}

t.test('a test user signs in with one click, by authorization code and PKCE', async (t) => {
  const provider = await startProvider(t)
  t.match(provider.metadata, { issuer: provider.issuer, code_challenge_methods_supported: ['S256'] })
  const callback = await choose(provider, 'button[value=grace]')
  t.equal(callback.origin + callback.pathname, redirectUri)
  t.match(Object.fromEntries(callback.searchParams), { state: 'state-1', iss: provider.issuer, code: String })

  const response = await exchange(provider, callback)
  const tokens = (await response.json()) as { id_token: string; access_token: string }
  const keys = (await (await fetch(provider.metadata.jwks_uri)).json()) as JSONWebKeySet
  t.strictSame(keys.keys.map(({ alg }) => alg).toSorted(), ['ES256', 'RS256'])
  const { payload } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys), {
    issuer: provider.issuer,
    audience: client.clientId
  })
  t.match(payload, { sub: 'grace', nonce: 'nonce-1' })

  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const person = (await (await fetch(provider.metadata.userinfo_endpoint, { headers })).json()) as { picture: string }
  t.strictSame(person, {
    sub: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    email_verified: true,
    picture: `${provider.issuer}/people/grace.svg`
  })
  const picture = await fetch(person.picture)
  t.equal(picture.headers.get('content-type'), 'image/svg+xml')
  t.match(await picture.text(), />GH</)
  t.equal((await exchange(provider, callback)).status, 400, 'the code is good once')
})

t.test('claims keep to the scopes that were requested', async (t) => {
  const provider = await startProvider(t)
  const callback = await choose(provider, 'button[value=ada]', { scope: 'openid email' })
  const { access_token } = (await (await exchange(provider, callback)).json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const person: unknown = await (await fetch(provider.metadata.userinfo_endpoint, { headers })).json()
  t.strictSame(person, { sub: 'ada', email: 'ada@example.com', email_verified: true })
})

t.test('cancelling goes back with access_denied', async (t) => {
  const callback = await choose(await startProvider(t), 'button[name=cancel]')
  t.match(Object.fromEntries(callback.searchParams), { error: 'access_denied', state: 'state-1' })
  t.notOk(callback.searchParams.has('code'))
})

t.test('the login page asks every time, so that another test user can be chosen', async (t) => {
  const provider = await startProvider(t)
  for (const person of ['ada', 'alan']) {
    const callback = await choose(provider, `button[value=${person}]`)
    const { id_token } = (await (await exchange(provider, callback)).json()) as { id_token: string }
    t.match(JSON.parse(`${Buffer.from(id_token.split('.')[1] ?? '', 'base64url')}`), { sub: person })
  }
  const silent = await provider.browser.open(authorizationUrl(provider, { prompt: 'none' }))
  t.ok(new URL(silent.location ?? '').searchParams.has('code'), 'prompt=none asks no one')
})

t.test('a request that asks for consent gets it without a page', async (t) => {
  const callback = await choose(await startProvider(t), 'button[value=ada]', { prompt: 'consent' })
  t.ok(callback.searchParams.has('code'))
})

t.test('a code without its verifier, or a request without PKCE, is refused', async (t) => {
  const provider = await startProvider(t)
  const callback = await choose(provider, 'button[value=ada]')
  t.equal((await exchange(provider, callback, { code_verifier: 'x'.repeat(43) })).status, 400)
  const without = await provider.browser.open(
    authorizationUrl(provider, { code_challenge_method: '', code_challenge: '' })
  )
  t.match(new URL(without.location ?? '').searchParams.get('error'), 'invalid_request')
})

t.test('a redirect URI that is not registered gets a page, never a redirect', async (t) => {
  const provider = await startProvider(t)
  const page = await provider.browser.open(authorizationUrl(provider, { redirect_uri: 'https://evil.test/' }))
  t.match(page, { status: 400, location: null })
  t.equal(page.html().querySelector('h1')?.text, 'invalid_redirect_uri')
})

t.test('the login page belongs to the browser that asked, and has neither scripts nor remote parts', async (t) => {
  const provider = await startProvider(t)
  const { browser } = provider
  const page = await browser.followAll(await browser.open(authorizationUrl(provider)))
  t.strictSame(page.html().querySelectorAll('script'), [])
  t.match(page.headers, {
    'content-security-policy': /default-src 'none'; style-src 'sha256-/,
    'cache-control': 'no-store'
  })
  const style = page.html().querySelector('style')?.rawText ?? ''
  t.match(page.headers['content-security-policy'], createHash('sha256').update(style).digest('base64'))
  browser.cookies.clear()
  const other = await browser.open(page.url)
  t.equal(other.status, 400)
  t.match(other.body, 'This sign-in is over')
  t.equal((await browser.post(page.url, 'person=ada')).status, 400)
})

t.test('a form that is too long is refused', async (t) => {
  const provider = await startProvider(t)
  const { browser } = provider
  const page = await browser.followAll(await browser.open(authorizationUrl(provider)))
  t.equal((await browser.post(page.url, `person=${'a'.repeat(20_000)}`)).status, 400)
})

t.test('signing out at the provider ends its session and leads back to the application', async (t) => {
  const provider = await startProvider(t)
  const { browser, metadata } = provider
  const { id_token } = (await (await exchange(provider, await choose(provider, 'button[value=ada]'))).json()) as {
    id_token: string
  }
  const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: 'http://localhost:9/' })
  const page = await browser.open(`${metadata.end_session_endpoint}?${query}`)
  const end = await browser.fill(page, 'button[name=logout]')
  t.match(end, { status: 303, location: 'http://localhost:9/' })
  const silent = await browser.open(authorizationUrl(provider, { prompt: 'none' }))
  t.match(new URL(silent.location ?? '').searchParams.get('error'), 'login_required')

  await choose(provider, 'button[value=ada]')
  const plain = await browser.fill(await browser.open(metadata.end_session_endpoint), 'button[name=logout]')
  t.match((await browser.followAll(plain)).body, 'You are signed out')
})

t.test('the provider starts and works without a word on the console', async (t) => {
  const output = (['log', 'info', 'warn', 'error'] as const).map((name) => t.capture(console, name))
  const provider = await startProvider(t)
  await exchange(provider, await choose(provider, 'button[value=ada]'))
  await choose(provider, 'button[name=cancel]')
  await provider.browser.open('/nowhere')
  await provider.browser.open(authorizationUrl(provider, { client_id: 'x' }))
  t.strictSame(
    output.flatMap((results) => results().map(({ args }) => args)),
    []
  )
})

t.test('a port that is in use is named, with the variable that changes it', async (t) => {
  const taken = createServer()
  const { port, close } = await listen(taken, { port: 0, service: 'test', variable: 'X' })
  t.teardown(close)
  await t.rejects(startIdentityProvider({ ...client, port }), {
    message: `identity provider: port ${port} is in use; set OIDC_PORT to another port`
  })
  await t.rejects(startMailServer({ port }), {
    message: `mail server: port ${port} is in use; set SMTP_PORT to another port`
  })
})

t.test('a service listens on this machine only, under both of its addresses', async (t) => {
  const { issuer, close } = await startIdentityProvider({ ...client, port: 0 })
  const path = '/.well-known/openid-configuration'
  const { port } = new URL(issuer)
  t.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200)
  t.equal((await fetch(`http://localhost:${port}${path}`)).status, 200)
  await close()
  await t.rejects(fetch(`http://127.0.0.1:${port}${path}`), 'and no longer exists when it is closed')
})

const message = {
  from: 'Demo <no-reply@demo.test>',
  to: 'ada@example.com',
  subject: 'Sign in to <b>demo</b> – now',
  text: 'Open http://localhost:3000/x?a=1&b=2',
  html: '<html><head><title>x</title></head><body><a href="http://localhost:3000/x?a=1&amp;b=2">Sign in</a></body></html>'
}

async function startMail(t: Test) {
  const server = await startMailServer({ port: 0 })
  t.teardown(server.close)
  const transport = createTransport(server.url)
  t.teardown(() => transport.close())
  return { ...server, transport }
}

t.test('a mail arrives over SMTP as it was sent', async (t) => {
  const { url, mails, transport } = await startMail(t)
  t.match(url, /^smtp:\/\/localhost:\d+$/)
  await transport.sendMail(message)
  const [mail] = mails()
  t.match(mail, {
    id: '1',
    to: 'ada@example.com',
    from: 'Demo <no-reply@demo.test>',
    subject: 'Sign in to <b>demo</b> – now',
    text: /^Open http:\/\/localhost:3000\/x\?a=1&b=2/,
    html: /<a href="http:\/\/localhost:3000\/x\?a=1&amp;b=2">Sign in<\/a>/,
    date: Date
  })
})

t.test('a mail is delivered to the recipients of its envelope', async (t) => {
  const { mails, transport } = await startMail(t)
  await transport.sendMail({ ...message, envelope: { from: 'x@demo.test', to: ['grace@example.com'] } })
  t.equal(mails()[0]?.to, 'grace@example.com')
})

t.test('a mail without HTML has none', async (t) => {
  const { mails, transport } = await startMail(t)
  await transport.sendMail({ to: message.to, from: 'no-reply@demo.test', text: 'Hello' })
  t.match(mails()[0], { subject: '', from: 'no-reply@demo.test', html: null })
})

t.test('the last hundred mails are kept', async (t) => {
  const { mails, url } = await startMail(t)
  const transport = createTransport({ url, pool: true, maxMessages: 1000 })
  t.teardown(() => transport.close())
  for (let count = 1; count <= 103; count++) await transport.sendMail({ ...message, subject: `number ${count}` })
  t.equal(mails().length, 100)
  t.match(
    [mails()[0], mails()[99]],
    [
      { id: '4', subject: 'number 4' },
      { id: '103', subject: 'number 103' }
    ]
  )
})

t.test('a mail that is too large is refused and not kept', async (t) => {
  const { mails, transport } = await startMail(t)
  await t.rejects(transport.sendMail({ ...message, text: 'x'.repeat(1_100_000) }), /552/)
  t.strictSame(mails(), [])
})

t.test('a mail that grows too large without having said so is refused and not kept', async (t) => {
  const { mails, url } = await startMail(t)
  const socket = connect(Number(new URL(url).port), 'localhost').setEncoding('utf8')
  const lines = [
    'HELO test',
    'MAIL FROM:<a@b.test>',
    'RCPT TO:<c@d.test>',
    'DATA',
    `${'x'.repeat(1_100_000)}\r\n.`,
    'QUIT'
  ]
  let received = ''
  for await (const reply of socket) {
    received += reply
    const line = lines.shift()
    if (line) socket.write(`${line}\r\n`)
  }
  t.match(received, /^552 the mail is larger than 1000000 bytes/m)
  t.strictSame(mails(), [])
})

async function startInbox(t: Test, mails: () => readonly Mail[]): Promise<Browser> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(inbox, { mails })
  return createBrowser({ origin: 'http://localhost:3000', send: fromInject(app) })
}

const mail: Mail = { ...message, id: '1', date: new Date('2030-01-02T03:04:05Z') }

t.test('the inbox lists the mails, newest first', async (t) => {
  const browser = await startInbox(t, () => [mail, { ...mail, id: '2', subject: '' }])
  const page = await browser.open('/inbox')
  const links = page.html().querySelectorAll('li a')
  t.strictSame(
    links.map((link) => [link.getAttribute('href'), link.text]),
    [
      ['/inbox/2', '(no subject)'],
      ['/inbox/1', 'Sign in to <b>demo</b> – now']
    ]
  )
  t.match(page.headers, { 'content-security-policy': /^default-src 'none'/, 'content-type': /^text\/html/ })
})

t.test('an empty inbox has a message', async (t) => {
  const browser = await startInbox(t, () => [])
  t.match((await browser.open('/inbox')).body, 'No mail yet')
})

t.test('a mail is shown with its headers, its text and its HTML in a frame without rights', async (t) => {
  const browser = await startInbox(t, () => [mail])
  const page = (await browser.open('/inbox/1')).html()
  t.strictSame(
    page.querySelectorAll('dd').map(({ text }) => text),
    ['Demo <no-reply@demo.test>', 'ada@example.com', '2030-01-02 03:04:05 UTC']
  )
  t.equal(page.querySelector('main pre')?.text, mail.text)
  const frame = page.querySelector('iframe')
  t.equal(frame?.getAttribute('src'), '/inbox/1/html')
  const rights = frame?.getAttribute('sandbox')?.split(' ') ?? []
  t.ok(rights.includes('allow-top-navigation-by-user-activation'))
  t.notOk(rights.includes('allow-scripts'))
  t.notOk(rights.includes('allow-same-origin'))
})

t.test('the HTML of a mail comes with a policy that runs nothing, and links that leave the frame', async (t) => {
  const hostile = '<!doctype html><p>hi</p><script>alert(1)</script>'
  const browser = await startInbox(t, () => [mail, { ...mail, id: '2', html: hostile }])
  const { body, headers } = await browser.open('/inbox/1/html')
  t.match(body, '<head><base target="_top"><title>x</title>')
  t.match(headers['content-security-policy'], /default-src 'none'.*; sandbox /)
  t.notMatch(headers['content-security-policy'], /script-src|allow-scripts|allow-same-origin/)
  t.match((await browser.open('/inbox/2/html')).body, '<!doctype html><base target="_top"><p>hi</p>')
})

t.test('a mail whose fields hold HTML is shown as text', async (t) => {
  const attack = '<img src=x onerror=alert(1)>"\'&'
  const browser = await startInbox(t, () => [{ ...mail, from: attack, to: attack, subject: attack, text: attack }])
  for (const path of ['/inbox', '/inbox/1']) {
    const page = (await browser.open(path)).html()
    t.strictSame(page.querySelectorAll('img'), [], path)
    t.match(page.querySelector('main')?.text, attack, path)
  }
})

t.test('a mail that is not there is 404', async (t) => {
  const browser = await startInbox(t, () => [{ ...mail, html: null }])
  t.equal((await browser.open('/inbox/2')).status, 404)
  t.equal((await browser.open('/inbox/2/html')).status, 404)
  t.equal((await browser.open('/inbox/1/html')).status, 404, 'nor an HTML part')
  t.equal((await browser.open('/inbox/1')).html().querySelector('iframe'), null)
})

t.test('what was sent over SMTP is read in the inbox', async (t) => {
  const { mails, transport } = await startMail(t)
  const reader = await startInbox(t, mails)
  await transport.sendMail(message)
  const link = (await reader.open('/inbox')).html().querySelector('li a')
  const page = await reader.open(link?.getAttribute('href') ?? '')
  t.equal(page.html().querySelector('h1')?.text, message.subject)
  const content = await reader.open(page.html().querySelector('iframe')?.getAttribute('src') ?? '')
  t.equal(content.html().querySelector('a')?.getAttribute('href'), 'http://localhost:3000/x?a=1&b=2')
})
