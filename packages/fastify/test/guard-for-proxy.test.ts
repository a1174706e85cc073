import { memoryAdapter } from '@postern/adapters/memory'
import t from 'tap'
import { requireSession } from '../src/index.ts'
import { origin, type StartOptions, signInByForm, start } from './start.ts'

// What `auth_request` of nginx and `forward_auth` of Caddy ask. Both with the real programs: docs/test/proxies.

type Test = Parameters<typeof start>[0]

async function startCheck(t: Test, options: StartOptions = {}) {
  const started = await start(t, { instances: 1, ...options })
  const { app } = started
  const passed = async () => ({ passed: true })
  app.get('/check', { onRequest: requireSession.with({ forProxy: true }) }, passed)
  app.get('/fresh', { onRequest: requireSession.with({ forProxy: true, amr: ['mfa'] }) }, passed)
  app.get('/nobody', { onRequest: requireSession.with({ forProxy: true, authorized: () => false }) }, passed)
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, remoteAddress = '10.0.0.1') =>
    app.inject({ url: path, remoteAddress, headers: { accept: 'text/html', ...headers } })
  return { ...started, ask }
}

const proxied = { 'x-forwarded-for': '192.0.2.7' }
const signInUrl = (query: Readonly<Record<string, string>>) =>
  `${origin}/api/auth/signin${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '?'}`

t.test('a browser without a session gets 401 and the page that signs in and returns', async (t) => {
  const { ask } = await startCheck(t, { server: { trustProxy: '10.0.0.0/8' } })
  const back = (callbackUrl: string) => signInUrl({ callbackUrl, error: 'SessionRequired' })
  for (const [name, headers, expected] of [
    ['nginx', { 'x-original-uri': '/orders?id=7' }, back(`${origin}/orders?id=7`)],
    ['Caddy', { 'x-forwarded-uri': '/orders', 'x-forwarded-method': 'GET' }, back(`${origin}/orders`)],
    ['a form, which cannot be repeated', { 'x-forwarded-uri': '/a', 'x-forwarded-method': 'POST' }, signInUrl({})],
    ['no page', {}, signInUrl({})],
    ['no path', { 'x-original-uri': 'https://evil.test/' }, signInUrl({})]
  ] as const) {
    const response = await ask('/check', { ...proxied, ...headers })
    t.equal(response.statusCode, 401, name)
    t.equal(response.headers['x-sign-in-url'], expected, name)
    t.equal(response.headers.location, undefined, name)
  }
})

t.test('nobody but a trusted proxy says which page it is', async (t) => {
  const named = { ...proxied, 'x-original-uri': '/orders' }
  const { ask } = await startCheck(t, { server: { trustProxy: '10.0.0.0/8' } })
  t.equal((await ask('/check', named, '192.0.2.1')).headers['x-sign-in-url'], signInUrl({}))
  const { ask: withoutProxy } = await startCheck(t)
  t.equal((await withoutProxy('/check', named)).headers['x-sign-in-url'], signInUrl({}))
})

t.test('a session passes, its renewed cookies are repeated, and what it lacks is named', async (t) => {
  const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, load: 'x'.repeat(5000) }) }
  const { ask, browser, clock } = await startCheck(t, {
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    server: { trustProxy: '10.0.0.0/8' },
    callbacks
  })
  await signInByForm(browser)
  const cookie = browser.cookies
    .all()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  t.same((await ask('/check', { cookie })).json(), { passed: true })
  clock.advance(2 * 24 * 3600)
  const { headers } = await ask('/check', { cookie })
  const set = [headers['set-cookie'] ?? []].flat()
  t.ok(set.length > 1, 'the session has several cookies')
  t.same(
    set.map((_, at) => headers[`x-set-cookie-${at + 1}`]),
    set
  )
  const weak = await ask('/fresh', { cookie, ...proxied, 'x-original-uri': '/orders' })
  t.equal(weak.statusCode, 401)
  t.match(weak.headers['www-authenticate'], /insufficient_user_authentication/)
  t.equal(
    weak.headers['x-sign-in-url'],
    `${origin}/api/auth/verify?${new URLSearchParams({ amr: 'mfa', callbackUrl: `${origin}/orders` })}`
  )
  const denied = await ask('/nobody', { cookie })
  t.same([denied.statusCode, denied.json().code], [403, 'ACCESS_DENIED'])
})
