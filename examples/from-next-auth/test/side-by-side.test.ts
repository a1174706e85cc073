import { join } from 'node:path'
import { type Browser, createBrowser, createCookieJar, fromFetch, fromInject, type Send } from '@postern/testkit'
import { startBehind } from 'cluster/behind'
import { decode, encode } from 'next-auth/jwt'
import t, { type Test } from 'tap'
import { buildApp } from '../src/main.ts'

const origin = 'https://app.test'
const secret = 'a secret of the tests, 32 characters or more'
const cookie = '__Secure-next-auth.session-token'
const user = { name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin' }

/** With `POSTERN_CLUSTER=1` two processes behind a balancer answer. */
const isClustered = Boolean(process.env['POSTERN_CLUSTER'])

async function sendTo(t: Test, environment: Readonly<Record<string, string>>): Promise<Send> {
  if (!isClustered) {
    const app = await buildApp(environment)
    t.teardown(() => app.close())
    return fromInject(app)
  }
  const program = join(import.meta.dirname, 'instance.js')
  const { url, close, instances } = await startBehind({ program, environment })
  t.teardown(close)
  console.log(`cluster: from-next-auth in ${instances.length} processes behind a balancer`)
  const send = fromFetch(fetch)
  return (request) => send({ ...request, origin: url })
}

async function start(t: Test, more: Readonly<Record<string, string>> = {}) {
  const environment = { NEXTAUTH_URL: origin, NEXTAUTH_SECRET: secret, LOG_LEVEL: 'silent', ...more }
  const send = await sendTo(t, environment)
  const cookies = createCookieJar()
  const newBrowser = (cookies = createCookieJar()): Browser => createBrowser({ origin, send, cookies })
  return { cookies, newBrowser, browser: newBrowser(cookies) }
}

t.test('a cookie of next-auth is a session here', async (t) => {
  const { browser, cookies } = await start(t)
  t.equal((await browser.open('/me')).status, 302, 'without one there is none')
  const token = { sub: '1', name: user.name, email: user.email, role: user.role }
  cookies.set(cookie, await encode({ token, secret }), { secure: true })
  t.match(await browser.json('/api/auth/session'), { user, expires: String })
  t.match(await browser.json('/me'), user)
  t.match(await browser.json('/admin'), { secrets: 'none' })
})

t.test('a cookie of next-auth with another secret is none', async (t) => {
  const { browser, cookies } = await start(t)
  const token = { sub: '1', name: user.name, email: user.email }
  cookies.set(cookie, await encode({ token, secret: `${secret}, but another` }), { secure: true })
  t.same(await browser.json('/api/auth/session'), {})
})

t.test('signing in here makes a cookie that next-auth reads', async (t) => {
  const { browser, cookies } = await start(t)
  const fields = { username: 'ada', password: 'lovelace', callbackUrl: '/me' }
  const response = await browser.submit('/api/auth/callback/credentials', fields)
  t.equal(response.location, `${origin}/me`)
  t.match(await browser.json('/me'), user)
  const claims = await decode({ token: cookies.get(cookie) ?? '', secret })
  t.match(claims, {
    sub: '1',
    name: user.name,
    email: user.email,
    role: 'admin',
    iat: Number,
    exp: Number,
    jti: String
  })
})

t.test('a refused user', async (t) => {
  const { browser, cookies } = await start(t)
  const path = '/api/auth/callback/credentials'
  const wrong = await browser.submit(path, { username: 'ada', password: 'guess', json: 'true' })
  t.equal(wrong.status, 401)
  const refused = await browser.submit(path, { username: 'mallory', password: 'mallory', json: 'true' })
  t.equal(refused.status, 403)
  const page = await browser.submit(path, { username: 'mallory', password: 'mallory' })
  t.equal(new URL(page.location ?? '').pathname, '/oops', 'pages.error')
  t.equal((await browser.follow(page)).body, 'Access denied.')
  t.equal(cookies.get(cookie) ?? null, null)
})

t.test('the role decides who sees what', async (t) => {
  const { browser, cookies, newBrowser } = await start(t)
  cookies.set(cookie, await encode({ token: { sub: '3', name: 'Grace', role: 'guest' }, secret }), { secure: true })
  const headers = { accept: 'application/json' }
  t.equal((await browser.open('/me', { headers })).status, 200)
  t.equal((await browser.open('/admin', { headers })).status, 403)
  t.equal((await newBrowser().open('/admin', { headers })).status, 401)
})

t.test('GitHub, as next-auth described it', async (t) => {
  const { browser } = await start(t, { GITHUB_ID: 'client', GITHUB_SECRET: 'secret' })
  const { location } = await browser.submit('/api/auth/signin/github', {})
  const { origin: provider, pathname, searchParams } = new URL(location ?? '')
  t.equal(provider + pathname, 'https://github.com/login/oauth/authorize')
  t.equal(searchParams.get('client_id'), 'client')
  t.equal(searchParams.get('scope'), 'read:user user:email')
  t.equal(searchParams.get('redirect_uri'), `${origin}/api/auth/callback/github`)
})
