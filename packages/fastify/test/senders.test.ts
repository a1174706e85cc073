import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EmailConfig } from '@postern/core'
import { guardedFetch } from '@postern/core/node'
import forwardEmail from '@postern/core/providers/forwardemail'
import loops from '@postern/core/providers/loops'
import mailgun from '@postern/core/providers/mailgun'
import postmark from '@postern/core/providers/postmark'
import resend from '@postern/core/providers/resend'
import sendGrid from '@postern/core/providers/sendgrid'
import { some as selected } from '@postern/testkit/long'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'
import { getSession, origin, people, secret, start } from './start.ts'

const from = 'App <no-reply@app.test>'
const to = 'ada@example.com'
const apiKey = 'key-of-the-service'

interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly host: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** The status that a service responds with, or no response. */
type Behaviour =
  | number
  | 'silent'
  | 'drop'
  | { readonly status: number; readonly body: string; readonly location?: string }

/** A sending service on loopback, in the place of every host. */
async function startService(t: Test) {
  const received: Received[] = []
  const state: { behaviour: Behaviour } = { behaviour: 200 }
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    request.toArray().then(
      (chunks: readonly string[]) => {
        const { method, url: path, headers } = request
        received.push({ method, path, headers, host: String(headers['x-test-host']), body: chunks.join('') })
        const { behaviour } = state
        if (behaviour === 'silent') return
        if (behaviour === 'drop') return void request.socket.destroy()
        const { status, body, location } =
          typeof behaviour === 'number' ? { status: behaviour, body: '{}', location: undefined } : behaviour
        response.writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) }).end(body)
      },
      () => undefined
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  /** The guarded way out, led to loopback. */
  const fetch: typeof guardedFetch = (address, init, limits) => {
    const { host, pathname, search, protocol } = new URL(address)
    if (protocol !== 'https:' || limits.allowInsecureRequests) throw new Error('expected a guarded call over https')
    const headers = { ...Object.fromEntries(new Headers(init.headers)), 'x-test-host': host }
    return guardedFetch(
      `http://127.0.0.1:${port}${pathname}${search}`,
      { ...init, headers },
      { ...limits, allowInsecureRequests: true }
    )
  }
  return { received, state, fetch }
}

interface Expected {
  readonly provider: EmailConfig
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What the body has to hold. */
  readonly body: (link: string) => unknown
  readonly read: (body: string) => unknown
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const json = { 'content-type': 'application/json' }
const own = { apiKey, from }
const some = /./

const services: readonly Expected[] = [
  {
    provider: resend(own),
    url: 'https://api.resend.com/emails',
    headers: { ...json, authorization: `Bearer ${apiKey}` },
    body: () => ({ from, to, subject: some, text: some, html: /^<!doctype html>/i }),
    read: JSON.parse
  },
  {
    provider: sendGrid(own),
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { ...json, authorization: `Bearer ${apiKey}` },
    body: () => ({
      personalizations: [{ to: [{ email: to }] }],
      from: { email: 'no-reply@app.test', name: 'App' },
      subject: some,
      content: [
        { type: 'text/plain', value: some },
        { type: 'text/html', value: some }
      ],
      tracking_settings: { click_tracking: { enable: false, enable_text: false } }
    }),
    read: JSON.parse
  },
  {
    provider: postmark(own),
    url: 'https://api.postmarkapp.com/email',
    headers: { ...json, 'x-postmark-server-token': apiKey },
    body: () => ({ From: from, To: to, Subject: some, TextBody: some, HtmlBody: some, MessageStream: 'outbound' }),
    read: JSON.parse
  },
  {
    provider: mailgun(own),
    url: 'https://api.mailgun.net/v3/app.test/messages',
    headers: {
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      authorization: basic(`api:${apiKey}`)
    },
    body: () => ({ from, to, subject: some, text: some, html: some, 'o:tracking': 'no' }),
    read: (body) => Object.fromEntries(new URLSearchParams(body))
  },
  {
    provider: mailgun({ ...own, region: 'EU' }),
    url: 'https://api.eu.mailgun.net/v3/app.test/messages',
    headers: { authorization: basic(`api:${apiKey}`) },
    body: () => ({ from, to }),
    read: (body) => Object.fromEntries(new URLSearchParams(body))
  },
  {
    provider: loops({ ...own, transactionalId: 'mail-1' }),
    url: 'https://app.loops.so/api/v1/transactional',
    headers: { ...json, authorization: `Bearer ${apiKey}` },
    body: (link) => ({ transactionalId: 'mail-1', email: to, dataVariables: { url: link, code: /^[A-Z]{8}$/ } }),
    read: JSON.parse
  },
  {
    provider: forwardEmail(own),
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { ...json, authorization: basic(`${apiKey}:`) },
    body: () => ({ from, to, subject: some, text: some, html: some }),
    read: JSON.parse
  }
]

/** The link of a mail, wherever the request carries it. */
function linkIn(body: string, id: string): string {
  const plain = body.startsWith('{')
    ? (JSON.parse(`"${body.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`) as string)
    : decodeURIComponent(body.replaceAll('+', ' '))
  const link = new RegExp(`${origin}/api/auth/callback/${id}\\?[^\\s"'\\\\<]+`).exec(plain)?.[0] ?? ''
  return link.replaceAll('&amp;', '&')
}

const failures: readonly Behaviour[] = [
  400,
  401,
  403,
  422,
  429,
  500,
  503,
  'drop',
  { status: 302, body: '', location: 'https://evil.test/' },
  { status: 307, body: '', location: 'https://evil.test/' }
]
/** In `npm test` each service fails in some of these ways, and each way is one of some service. */
const failing = selected(
  services.flatMap(({ provider }) => failures.map((behaviour) => ({ provider, behaviour }))),
  ({ provider, behaviour }) => [services.findIndex((one) => one.provider === provider), failures.indexOf(behaviour)],
  1
)
/** It repeats the key, which no service's failure may bring into the log. */
const showsKey: Behaviour = { status: 401, body: `{"error":"${apiKey} is unknown"}` }

for (const { provider, url, headers, body, read } of services) {
  t.test(`${provider.name}: ${url} gets its own request format, and the mailed link signs in`, async (t) => {
    const { received, fetch } = await startService(t)
    const { browser } = await start(t, { providers: [provider], runtime: { fetch } })
    const response = await browser.submit(`/api/auth/signin/${provider.id}`, { email: to })
    t.match(response.location, /\/verify-request\?/)
    t.equal(received.length, 1, 'one request')
    const [request] = received
    t.match({ method: request?.method, url: `https://${request?.host}${request?.path}` }, { method: 'POST', url })
    t.match(request?.headers, headers)
    const link = linkIn(request?.body ?? '', provider.id)
    t.match(read(request?.body ?? ''), body(link))
    await browser.open(link)
    t.match(await getSession(browser), { user: { email: to } })
  })

  t.test(
    `${provider.name}: a service that refuses, redirects or hangs up is EmailSignin, and leaves no row`,
    async (t) => {
      const { state, fetch, received } = await startService(t)
      const { browser, store, log } = await start(t, { providers: [provider], runtime: { fetch }, rateLimit: false })
      const ways = failing.filter((one) => one.provider === provider).map(({ behaviour }) => behaviour)
      const met = [...ways, showsKey]
      for (const behaviour of met) {
        state.behaviour = behaviour
        const sent = received.length
        const response = await browser.submit(`/api/auth/signin/${provider.id}`, { email: to })
        t.match(response.location, /\/signin\?error=EmailSignin/, JSON.stringify(behaviour))
        t.equal(received.length, sent + 1, 'it is not called again, or elsewhere')
      }
      t.equal(store.count('createVerificationToken'), 2 * met.length)
      t.ok(store.count('useVerificationToken') >= 2 * met.length, 'the stored token is deleted')
      t.notOk(
        log.some((line) => line.includes(apiKey)),
        'the key is in no log line'
      )
    }
  )
}

t.test('a silent service ends with EmailSignin after its timeout, and delays no other user', async (t) => {
  const { state, fetch } = await startService(t)
  state.behaviour = 'silent'
  const [count, timeout] = [40, 400]
  const { browser, newBrowser } = await start(t, {
    providers: [resend(own), people],
    runtime: { fetch },
    constants: { mailTimeoutMilliseconds: timeout },
    rateLimit: false
  })
  const startedAt = performance.now()
  const waiting = Promise.all(
    Array.from({ length: count }, (_, index) =>
      newBrowser().submit('/api/auth/signin/resend', { email: `p${index}@example.com` })
    )
  )
  const inBetween = performance.now()
  await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  t.match(await getSession(browser), { user: { name: 'grace' } }, 'others sign in meanwhile')
  const other = performance.now() - inBetween
  const responses = await waiting
  const took = performance.now() - startedAt
  t.ok(responses.every(({ location }) => location?.includes('error=EmailSignin')))
  t.ok(took < count * timeout, `not one after the other: ${count} took ${Math.round(took)} ms`)
  t.ok(other < took, `the concurrent sign-in took ${Math.round(other)} ms`)
})

t.test('a mail server that is down or refuses has the same result for every address', async (t) => {
  const { state, fetch } = await startService(t)
  state.behaviour = 503
  const { browser, newBrowser, adapter } = await start(t, {
    providers: [resend(own), people],
    runtime: { fetch },
    rateLimit: false
  })
  await browser.submit('/api/auth/callback/credentials', { username: 'known', password: 'lovelace' })
  t.ok(await adapter?.getUserByEmail?.('known@example.com'), 'one of them has an account')
  const responses = await Promise.all(
    ['known@example.com', 'unknown@example.com'].map((email) =>
      newBrowser().submit('/api/auth/signin/resend', { email })
    )
  )
  const [known, unknown] = responses.map(({ status, location, setCookies }) => ({
    status,
    location: location?.replace(/&ref=.*/, ''),
    cookies: setCookies.map(({ name }) => name)
  }))
  t.same(known, unknown)
})

for (const { provider } of services) {
  t.test(`${provider.name}: an address that the application lets through names one recipient, or no one`, async (t) => {
    const { received, fetch } = await startService(t)
    const loose = {
      ...provider,
      options: { ...provider.options, normalizeIdentifier: (text: string) => text.trim().toLowerCase() }
    }
    const { browser, store } = await start(t, { providers: [loose], runtime: { fetch }, rateLimit: false })
    for (const email of [`${to},eve@evil.test`, `Ada <${to}>`, `"${to}"@evil.test`, `${to}\r\nBcc: eve@evil.test`]) {
      const response = await browser.submit(`/api/auth/signin/${provider.id}`, { email })
      t.match(response.location, /error=EmailSignin/, JSON.stringify(email))
    }
    t.equal(received.length, 0, 'the service is not called')
    t.equal(store.count('useVerificationToken'), store.count('createVerificationToken'), 'and no row is left')
    await browser.submit(`/api/auth/signin/${provider.id}`, { email: ` ${to} ` })
    t.equal(received.length, 1)
  })
}

t.test('the key of a service is read from the environment, and reported as missing at registration', async (t) => {
  const { received, fetch } = await startService(t)
  process.env['AUTH_RESEND_KEY'] = 'key-of-the-environment'
  process.env['EMAIL_FROM'] = from
  t.teardown(() => {
    delete process.env['AUTH_RESEND_KEY']
    delete process.env['EMAIL_FROM']
  })
  const { browser } = await start(t, { providers: [resend()], runtime: { fetch } })
  await browser.submit('/api/auth/signin/resend', { email: to })
  t.equal(received[0]?.headers.authorization, 'Bearer key-of-the-environment')
  const app = Fastify()
  t.teardown(() => app.close())
  const registering = app.register(postern, { url: origin, secret, providers: [postmark()], adapter: {} })
  await t.rejects(Promise.resolve(registering.after()), { message: /providers\.postmark\.apiKey: .*AUTH_POSTMARK_KEY/ })
})

t.test('required options of a service are reported at registration', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const providers = [loops({ ...own, transactionalId: '' })]
  const registering = app.register(postern, { url: origin, secret, providers, adapter: {} })
  await t.rejects(Promise.resolve(registering.after()), {
    message: /providers\.loops\.transactionalId: expected a string, which Loops requires/
  })
})
