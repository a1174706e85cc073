import type { Session } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { origin, type Started, type StartOptions, signInByForm, start } from './start.ts'

const html = { accept: 'text/html,application/xhtml+xml' }
const json = { accept: 'application/json' }

/** An application with guards before its routes, added ahead of the first request. */
async function guarded(
  t: Parameters<typeof start>[0],
  add: (app: FastifyInstance) => unknown,
  options: StartOptions = {}
): Promise<Started> {
  const started = await start(t, options)
  await add(started.app)
  return started
}

const get = (browser: Browser, path: string, headers: Readonly<Record<string, string>>) =>
  browser.request('GET', path, { headers })

for (const hook of ['onRequest', 'preHandler'] as const) {
  t.test(`${hook}: a visitor with a session passes, and the route knows who it is`, async (t) => {
    const { browser } = await guarded(t, (app) =>
      app.get('/guarded', { [hook]: app.requireSession }, async (request) => ({ user: request.auth?.user }))
    )
    await signInByForm(browser)
    const response = await get(browser, '/guarded', html)
    t.match({ status: response.status, body: response.json() }, { status: 200, body: { user: { name: 'grace' } } })
  })

  t.test(`${hook}: without a session a browser is sent to sign in, and back`, async (t) => {
    let isReached = false
    const { browser } = await guarded(t, (app) =>
      app.get('/guarded', { [hook]: app.requireSession }, async () => {
        isReached = true
        return {}
      })
    )
    const response = await browser.open('/guarded?tab=1&x=%2F')
    const query = new URLSearchParams({ callbackUrl: `${origin}/guarded?tab=1&x=%2F`, error: 'SessionRequired' })
    t.same([response.status, response.location], [302, `${origin}/api/auth/signin?${query}`])
    t.match(response.headers['cache-control'], /no-store/)
    t.notOk(isReached)
    const page = await browser.follow(response)
    const done = await browser.fill(page, '/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
    t.equal(done.location, `${origin}/guarded?tab=1&x=%2F`)
    t.equal((await browser.follow(done)).status, 200)
  })

  t.test(`${hook}: without a session any other client gets 401 in JSON`, async (t) => {
    const { browser } = await guarded(t, (app) => app.get('/guarded', { [hook]: app.requireSession }, async () => ({})))
    for (const headers of [json, {}, { accept: '*/*' }, { accept: 'image/png' }]) {
      const response = await get(browser, '/guarded', headers)
      t.equal(response.status, 401)
      t.match(response.headers['cache-control'], /no-store/)
      const { message, ...body } = response.json<{ message: string }>()
      t.same(body, { statusCode: 401, code: 'SESSION_REQUIRED', error: 'Unauthorized' })
      t.ok(message)
    }
  })
}

t.test('a form that was posted returns to the page with the form, and to no other site', async (t) => {
  const { browser } = await guarded(t, (app) => {
    app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => done(null, {}))
    app.post('/guarded', { onRequest: app.requireSession }, async () => ({}))
    app.post('/money', { onRequest: app.requireSession.with({ freshWithin: 1 }) }, async () => ({}))
  })
  const form = `${origin}/form?step=2`
  const signInPage = `${origin}/api/auth/signin`
  const back = `${signInPage}?${new URLSearchParams({ callbackUrl: form, error: 'SessionRequired' })}`
  for (const path of ['/guarded', '/money']) {
    const fromForm = await browser.post(path, 'a=1', { ...html, referer: form })
    t.same([fromForm.status, fromForm.location], [302, back])
    for (const referer of [null, 'https://evil.test/', `${origin}.evil.test/form`, 'about:blank', 'form']) {
      const { status, location } = await browser.post(path, 'a=1', { ...html, referer })
      t.same([status, location], [302, signInPage], `${referer}: nothing says that the user will return`)
    }
  }
})

t.test('the application’s own sign-in page gets the visitor, with code and callbackUrl', async (t) => {
  const { browser } = await start(t, { pages: { signIn: '/in' } })
  const response = await browser.follow(await browser.open('/me'))
  t.equal(response.location, `${origin}/in?callbackUrl=https%3A%2F%2Fapp.test%2Fme&error=SessionRequired`)
})

t.test('authorized: a refused user gets 403, in JSON or on the error page', async (t) => {
  const requests: { readonly session: Session; readonly url: string }[] = []
  const authorized = ({ session, request }: { readonly session: Session; readonly request: FastifyRequest }) => {
    requests.push({ session, url: request.url })
    return session.user?.name === 'ada'
  }
  const { browser, newBrowser, log } = await guarded(t, (app) =>
    app.get('/admin', { onRequest: app.requireSession.with({ authorized }) }, async () => ({ secret: 7 }))
  )
  t.equal((await get(browser, '/admin', json)).status, 401, 'the client is not redirected to sign in')
  t.same(requests, [])
  await signInByForm(browser)
  const refused = await get(browser, '/admin', json)
  t.match(refused.json(), { statusCode: 403, code: 'ACCESS_DENIED', error: 'Forbidden' })
  t.match(requests, [{ session: { user: { name: 'grace' } }, url: '/admin' }])
  const page = await browser.open('/admin')
  t.equal(page.status, 403)
  t.ok(page.html().text.includes('You do not have permission for this.'))
  t.notOk(page.html().text.includes('sign in'), 'the user is signed in')
  const links = page.html().querySelectorAll('.stack a')
  t.same(
    links.map((link) => [link.text, link.getAttribute('href')]),
    [
      ['Back to app.test', origin],
      ['Use another account', `${origin}/api/auth/signin?${new URLSearchParams({ callbackUrl: `${origin}/admin` })}`]
    ]
  )
  t.ok(page.headers['content-security-policy'])
  const ref = page.html().querySelector('.reference')?.text.replace('Reference: ', '') ?? 'none'
  t.ok(log.some((line) => JSON.parse(line).auth?.ref === ref))
  t.notOk(page.body.includes('secret'))
  const crowded = await browser.open(`/admin?${'a=1&'.repeat(1500)}`)
  t.equal(crowded.status, 403, 'however many fields its query has')

  const ada = newBrowser()
  await signInByForm(ada, 'ada')
  t.same((await get(ada, '/admin', json)).json(), { secret: 7 })
})

t.test('authorized: only true is a yes, and what it throws is never one (A15)', async (t) => {
  for (const result of [undefined, null, 1, 'yes', {}, false]) {
    const authorized = () => result as boolean
    const { browser } = await guarded(t, (app) =>
      app.get('/admin', { onRequest: app.requireSession.with({ authorized }) }, async () => ({}))
    )
    await signInByForm(browser)
    t.equal((await get(browser, '/admin', json)).status, 403, String(result))
  }
  const authorized = () => Promise.reject(new Error('the roles do not respond'))
  const { browser } = await guarded(t, (app) =>
    app.get('/admin', { onRequest: app.requireSession.with({ authorized }) }, async () => ({}))
  )
  await signInByForm(browser)
  t.equal((await get(browser, '/admin', json)).status, 500)
})

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)()) {
  test(`${strategy}: freshWithin asks for a recent sign-in, on the clock of the application`, async (t) => {
    const { browser, clock } = await guarded(
      t,
      (app) =>
        app.get('/money', { onRequest: app.requireSession.with({ freshWithin: 300 }) }, async () => ({ ok: true })),
      { session: { strategy, updateAge: 60 } }
    )
    await signInByForm(browser)
    clock.advance(299)
    t.equal((await get(browser, '/money', json)).status, 200)
    clock.advance(2)
    const stale = { statusCode: 401, code: 'INSUFFICIENT_USER_AUTHENTICATION', error: 'Unauthorized' }
    t.match((await get(browser, '/money', json)).json(), stale)
    t.equal((await get(browser, '/me', json)).status, 200, 'the session itself remains valid')
    t.equal((await get(browser, '/money', json)).status, 401, 'being used makes no session fresh')
    const response = await browser.open('/money')
    t.equal(
      response.location,
      `${origin}/api/auth/verify?${new URLSearchParams({ max_age: '300', callbackUrl: `${origin}/money` })}`
    )
    await signInByForm(browser)
    t.equal((await get(browser, '/money', json)).status, 200, 'signing in again does')
  })
}

t.test('guards of different kinds work together, and the session is read once', async (t) => {
  const { app, browser, store } = await start(t, { session: { strategy: 'database' } })
  const authorized = () => true
  app.get(
    '/all',
    {
      onRequest: [app.requireSession, app.requireSession.with({ authorized })],
      preHandler: app.requireSession.with({ freshWithin: 60 })
    },
    async (request) => ({ same: request.auth === (await request.getSession()) })
  )
  await signInByForm(browser)
  store.forget()
  t.same(await browser.json('/all'), { same: true })
  t.equal(store.count('getSessionAndUser'), 1)
  t.equal(store.count(), 1)
})

t.test('a host that we do not respond for has no session', async (t) => {
  const { app } = await start(t, { url: undefined, trustHost: ['app.test'] })
  const response = await app.inject({ url: '/me', headers: { host: 'evil.test', accept: 'text/html' } })
  t.equal(response.statusCode, 401)
  t.notMatch(response.body, /evil/)
})

t.test('a hook that is called by hand works too', async (t) => {
  const { app, browser } = await start(t)
  app.get('/by-hand', async (request: FastifyRequest, reply: FastifyReply) => {
    await app.requireSession(request, reply)
    return reply.sent ? reply : { ok: true }
  })
  t.equal((await get(browser, '/by-hand', json)).status, 401)
  await signInByForm(browser)
  t.same((await get(browser, '/by-hand', json)).json(), { ok: true })
})
