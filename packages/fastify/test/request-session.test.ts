import { Readable } from 'node:stream'
import fastifyCookie from '@fastify/cookie'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { cookieNames, signInByForm, start } from './start.ts'

const day = 24 * 60 * 60

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)()) {
  test(`${strategy}: the session is read once per request, however often it is requested`, async (t) => {
    let reads = 0
    const events = {
      session: () => {
        reads += 1
      }
    }
    const { app, browser, store } = await start(t, { session: { strategy }, events })
    app.addHook('preHandler', async (request) => {
      await request.getSession()
    })
    app.get('/often', { onRequest: app.requireSession }, async (request) => {
      const all = await Promise.all([request.getSession(), request.getSession(), app.postern.getSession(request)])
      return { same: all.every((session) => session === request.auth) }
    })
    await signInByForm(browser)
    store.forget()
    reads = 0
    t.same(await browser.json('/often'), { same: true })
    const calls = store.count() - store.count('listRevocations')
    t.same({ reads, calls }, { reads: 1, calls: strategy === 'database' ? 1 : 0 })
    t.same(await browser.json('/often'), { same: true })
    t.equal(reads, 2, 'and again for the next request')
  })

  test(`${strategy}: a refreshed cookie is added to the reply, wherever the session was read`, async (t) => {
    const asks = [
      'before the plugin',
      'onRequest',
      'preHandler',
      'handler',
      'preSerialization',
      'stream',
      'error'
    ] as const
    for (const location of asks) {
      const { app, browser, clock } = await start(t, {
        session: { strategy },
        before: (app) => {
          app.addHook('onRequest', async (request) => {
            if (location === 'before the plugin') await request.getSession()
          })
        }
      })
      for (const hook of ['onRequest', 'preHandler', 'preSerialization'] as const) {
        app.addHook(hook, async (request: { getSession: () => Promise<unknown> }) => {
          if (location === hook) await request.getSession()
        })
      }
      app.get('/asked', async (request, reply) => {
        if (['handler', 'stream', 'error'].includes(location)) await request.getSession()
        if (location === 'error') throw new Error('after it was read')
        return location === 'stream' ? reply.type('text/plain').send(Readable.from(['x'])) : { ok: true }
      })
      await signInByForm(browser)
      clock.advance(2 * day)
      const response = await browser.open('/asked')
      t.equal(response.status, location === 'error' ? 500 : 200)
      t.same(
        response.setCookies.map(({ name }) => name),
        [cookieNames.sessionToken],
        location
      )
      t.same((await browser.open('/asked')).setCookies, [], `${location}, the next time`)
    }
  })

  test(`${strategy}: it does not replace the cookies of the application`, async (t) => {
    const { app, browser, clock } = await start(t, {
      session: { strategy },
      before: (app) => app.register(fastifyCookie)
    })
    app.get('/both', async (request, reply) => {
      reply.setCookie('theme', 'dark', { path: '/' })
      reply.header('set-cookie', 'plain=1; Path=/')
      const session = await request.getSession()
      return { name: session?.user?.name, seen: request.cookies['theme'] ?? null }
    })
    await signInByForm(browser)
    clock.advance(2 * day)
    const response = await browser.open('/both')
    const names = response.setCookies.map(({ name }) => name)
    t.same(names.toSorted(), [cookieNames.sessionToken, 'plain', 'theme'].toSorted())
    t.same(await browser.json('/both'), { name: 'grace', seen: 'dark' })
  })

  test(`${strategy}: no shared cache keeps a response with a refreshed cookie, whatever its Cache-Control`, async (t) => {
    const policies = [
      ['public, max-age=60', 'private, no-store'],
      ['max-age=60, s-maxage=600', 'private, no-store'],
      ['private="x-name", max-age=60', 'private, no-store'],
      ['private, max-age=60', 'private, max-age=60'],
      ['No-Store', 'No-Store'],
      [undefined, 'private, no-store']
    ] as const
    const places = ['before', 'after', 'onSend', 'stream'] as const
    for (const [policy, expected] of policies) {
      for (const location of places) {
        const { app, browser, clock } = await start(t, { session: { strategy } })
        const headers = { ...(policy && { 'cache-control': policy }), 'cdn-cache-control': 'public, max-age=60' }
        app.addHook('onSend', async (_request, reply) => void (location === 'onSend' && reply.headers(headers)))
        app.get('/kept', async (request, reply) => {
          if (location === 'before') reply.headers(headers)
          await request.getSession()
          if (location === 'after' || location === 'stream') reply.headers(headers)
          return location === 'stream' ? reply.type('text/plain').send(Readable.from(['x'])) : { ok: true }
        })
        await signInByForm(browser)
        clock.advance(2 * day)
        const refreshed = await browser.open('/kept')
        t.equal(refreshed.setCookies.length, 1)
        t.equal(refreshed.headers['cache-control'], expected, `${policy}, ${location}`)
        t.equal(refreshed.headers['cdn-cache-control'], 'private, no-store')
        const next = await browser.open('/kept')
        t.equal(
          next.headers['cache-control'],
          policy,
          `${policy}, ${location}: without a cookie it is the application's`
        )
        t.equal(next.headers['cdn-cache-control'], 'public, max-age=60')
      }
    }
  })

  test(`${strategy}: an invalid session cookie is cleared by the reply, too`, async (t) => {
    const { browser } = await start(t, { session: { strategy } })
    browser.cookies.set(cookieNames.sessionToken, 'forged', { secure: true, httpOnly: true })
    const response = await browser.open('/')
    t.match(response.setCookies, [{ name: cookieNames.sessionToken, value: '', maxAge: 0 }])
    t.same(response.json(), { session: null })
    t.same((await browser.open('/')).setCookies, [])
  })
}

t.test('request.auth is null before the session is read, and the session afterwards', async (t) => {
  const { app, browser } = await start(t)
  app.get('/auth', async (request) => {
    const before = request.auth
    const session = await request.getSession()
    return { before, isSame: request.auth === session, name: request.auth?.user?.name ?? null }
  })
  t.same(await browser.json('/auth'), { before: null, isSame: true, name: null })
  await signInByForm(browser)
  t.same(await browser.json('/auth'), { before: null, isSame: true, name: 'grace' })
})

t.test('requests do not see each other', async (t) => {
  const { app, browser, newBrowser } = await start(t)
  app.get('/slow', async (request) => {
    const session = await request.getSession()
    await new Promise((resolve) => setImmediate(resolve))
    return { name: session?.user?.name ?? null, auth: request.auth?.user?.name ?? null }
  })
  const ada = newBrowser()
  await signInByForm(browser)
  await signInByForm(ada, 'ada')
  const visitors = [browser, ada, newBrowser()]
  const results = await Promise.all(Array.from({ length: 30 }, (_, index) => visitors[index % 3]?.json('/slow')))
  for (const [index, result] of results.entries()) {
    const name = ['grace', 'ada', null][index % 3] ?? null
    t.same(result, { name, auth: name })
  }
})

t.test('an outage is the same for everyone who asks in a request', async (t) => {
  const { app, browser, store } = await start(t, { session: { strategy: 'database' } })
  app.get('/twice', async (request) => {
    const failures = await Promise.allSettled([request.getSession(), request.getSession()])
    return failures.map((result) => (result.status === 'rejected' ? result.reason.code : 'answered'))
  })
  await signInByForm(browser)
  store.forget()
  store.breakDown()
  t.same(await browser.json('/twice'), ['StoreUnavailable', 'StoreUnavailable'])
  t.equal(store.count(), 1)
})
