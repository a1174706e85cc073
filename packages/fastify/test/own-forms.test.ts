import type { Browser } from '@postern/testkit'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { requireCsrfToken } from '../src/index.ts'
import { cookieNames, origin, type StartOptions, signInByForm, start } from './start.ts'

/** An application with a form of its own. */
async function startOwn(t: Test, options: StartOptions = {}) {
  const started = await start(t, { instances: 1, ...options })
  const { app } = started
  let runs = 0
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  app.get('/form', async (request, reply) => {
    const token = await app.postern.csrfToken(request, reply)
    const again = await app.postern.csrfToken(request, reply)
    const form = `<form method="post" action="/form"><input name="csrfToken" type="hidden" value="${token}"></form>`
    return reply.type('text/html').send(token === again ? form : 'two tokens')
  })
  app.post('/form', { preHandler: requireCsrfToken }, async () => ({ runs: ++runs }))
  app.delete('/early', { onRequest: requireCsrfToken }, async () => ({ runs: ++runs }))
  app.post('/early', { onRequest: requireCsrfToken }, async () => ({ runs: ++runs }))
  app.get('/safe', { preHandler: requireCsrfToken }, async () => ({ runs: ++runs }))
  const getToken = async (browser: Browser): Promise<string> =>
    (await browser.open('/form')).html().querySelector('input')?.getAttribute('value') ?? ''
  const send = (browser: Browser, fields: Record<string, string>, headers: Record<string, string | null> = {}) =>
    browser.request('POST', '/form', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `${new URLSearchParams(fields)}`
    })
  return { ...started, getToken, send, countRuns: () => runs }
}

t.test('a form of the application is accepted with the token of its browser', async (t) => {
  const { browser, getToken, send, countRuns } = await startOwn(t)
  const csrfToken = await getToken(browser)
  t.equal((await send(browser, { csrfToken })).status, 200)
  t.equal((await send(browser, {}, { 'x-csrf-token': csrfToken })).status, 200)
  t.same(await browser.json('/api/auth/csrf'), { csrfToken }, 'it is the token of all forms')
  t.equal(await getToken(browser), csrfToken, 'and of the next page')
  const json = { 'content-type': 'application/json' }
  t.equal((await browser.post('/form', JSON.stringify({ csrfToken }), json)).status, 200)
  t.equal((await browser.request('DELETE', '/early', { headers: { 'x-csrf-token': csrfToken } })).status, 200)
  t.equal((await browser.open('/safe')).status, 200, 'GET changes nothing')
  t.equal(countRuns(), 5)
})

t.test('a form with Origin: null is refused, and the log names Referrer-Policy', async (t) => {
  const { browser, getToken, send, countRuns, log } = await startOwn(t)
  const csrfToken = await getToken(browser)
  const response = await send(browser, { csrfToken }, { origin: 'null', 'sec-fetch-site': null })
  t.equal(response.status, 403)
  t.match(log.join(''), /CSRF_TOKEN_INVALID.*Origin: null.*Referrer-Policy: no-referrer/s)
  t.notMatch(response.body, /Referrer-Policy/)
  t.equal((await send(browser, { csrfToken }, { origin: 'null', 'sec-fetch-site': 'same-origin' })).status, 200)
  t.equal(countRuns(), 1)
})

t.test('attack: a token from before the sign-in, and a cookie that was made up', async (t) => {
  const { browser, getToken, send, countRuns } = await startOwn(t)
  const before = await getToken(browser)
  await signInByForm(browser)
  t.equal((await send(browser, { csrfToken: before })).status, 403)
  const csrfToken = 'a'.repeat(64)
  browser.cookies.set(cookieNames.csrfToken, `${csrfToken}|${'b'.repeat(64)}`, { secure: true, path: '/' })
  t.equal((await send(browser, { csrfToken })).status, 403)
  t.equal(countRuns(), 0)
})

t.test('after a sign-in by the application, the page that follows has the new token', async (t) => {
  const { app, browser, adapter, send } = await startOwn(t)
  const user = await adapter?.createUser?.({ name: null, email: 'ada@example.com', emailVerified: null } as never)
  app.post('/enter', async (request, reply) => {
    const before = await app.postern.csrfToken(request, reply)
    await app.postern.signIn(request, reply, user?.id ?? '')
    return { before, csrfToken: await app.postern.csrfToken(request, reply) }
  })
  const response = await browser.post('/enter', '{}', { 'content-type': 'application/json' })
  const { before, csrfToken } = response.json() as { before: string; csrfToken: string }
  t.not(before, csrfToken)
  t.equal((await send(browser, { csrfToken: before })).status, 403)
  t.equal((await send(browser, { csrfToken })).status, 200)
})

t.test('the application’s error handler may answer', async (t) => {
  const { app, browser, send } = await startOwn(t)
  app.setErrorHandler((error: Error & { code?: string }, _request, reply) =>
    reply.code(422).type('text/html').send(error.code)
  )
  t.match(await send(browser, {}), { status: 422, body: 'CSRF_TOKEN_INVALID' })
})

t.test('without a registration in the scope, every form is refused', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  let isRun = false
  app.post('/form', { preHandler: requireCsrfToken }, async () => {
    isRun = true
  })
  const response = await app.inject({ method: 'POST', url: '/form', headers: { 'x-csrf-token': 'a' } })
  t.match(response.json(), { statusCode: 500, code: 'POSTERN_NOT_REGISTERED' })
  t.equal(isRun, false)
})

t.test('a hook of the whole application leaves the routes of Postern alone', async (t) => {
  const { browser } = await start(t, {
    instances: 1,
    before: (app) => void app.addHook('preHandler', requireCsrfToken)
  })
  t.equal((await browser.open('/api/auth/signin')).status, 200)
  t.equal((await browser.request('POST', '/api/auth/providers')).status, 200, 'also those that need no token')
  t.equal((await signInByForm(browser)).location, origin)
})

t.test('it is refused as a hook that runs too late, and if it is called', async (t) => {
  const { app } = await start(t, { instances: 1 })
  t.throws(() => app.post('/late', { preSerialization: requireCsrfToken as never }, async () => ''), {
    name: 'ConfigError'
  })
  t.throws(() => requireCsrfToken({} as never, {} as never), { name: 'ConfigError' })
})

t.test('a request for another host has no token', async (t) => {
  const { app } = await startOwn(t, { url: undefined, trustHost: ['app.test'] })
  const response = await app.inject({ method: 'GET', url: '/form', headers: { host: 'evil.test' } })
  t.equal(response.statusCode, 400)
  const posted = await app.inject({
    method: 'POST',
    url: '/form',
    headers: { host: 'evil.test', 'x-csrf-token': 'a', 'content-type': 'application/json' },
    payload: '{}'
  })
  t.equal(posted.statusCode, 403)
})
