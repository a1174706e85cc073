import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import postern, { requireSession } from '../src/index.ts'
import { rejectEarlyUse } from '../src/reject-early-use.ts'
import { signInAs } from '../src/testing.ts'
import { origin, people, secret, signInByForm, start } from './start.ts'

const options = { url: origin, secret, providers: [people] }
const early = { code: 'POSTERN_NOT_REGISTERED', message: /Add await before app\.register\(postern/ }

t.test('guard-1: app.requireSession is missing for everything but a read', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  t.notOk(app.hasDecorator('requireSession'))
  t.notOk('requireSession' in app)
  t.throws(() => app.requireSession, early)
  t.throws(() => app.getDecorator('requireSession'), { code: 'FST_ERR_DEC_UNDECLARED' })
  const needy = fp(async () => undefined, { name: 'needy', decorators: { fastify: ['requireSession'] } })
  await t.rejects(async () => void (await Fastify().register(needy)), {
    code: 'FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE'
  })
  t.ok(app instanceof Object)
  t.equal(String(app), '[object Object]')
  t.notOk(Object.keys(app).includes('requireSession'))
  await app.register(postern, options)
  t.ok(app.hasDecorator('requireSession'))
  t.equal(app.requireSession, requireSession)
  await app.register(async (scope) => t.equal(scope.requireSession, requireSession))
})

t.test('guard-1: a guard without a registration in the scope of its route fails with 500', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  let isRun = false
  app.get('/private', { onRequest: requireSession }, async () => {
    isRun = true
  })
  await app.register(async (scope) => {
    await scope.register(postern, options)
  })
  const response = await app.inject('/private')
  t.match(response.json(), { statusCode: 500, code: 'POSTERN_NOT_REGISTERED' })
  t.notOk(isRun)
})

t.test('an application may define a decorator of the same name', async (t) => {
  const own = () => Promise.resolve('own')
  const define = (app: FastifyInstance): unknown => Reflect.apply(app.decorate, app, ['requireSession', own])
  const app = Fastify()
  t.teardown(() => app.close())
  define(app)
  t.equal<unknown>(app.requireSession, own)
  t.throws(() => define(app), { code: 'FST_ERR_DEC_ALREADY_PRESENT' })
  await app.register(async (scope) => t.equal<unknown>(scope.requireSession, own))

  const outer = Fastify()
  t.teardown(() => outer.close())
  await outer.register(async (scope) => {
    define(scope)
    t.equal<unknown>(scope.requireSession, own)
  })
  t.throws(() => outer.requireSession, early)
})

t.test('several copies of the package, and instances from before it was imported', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const prototype = Object.getPrototypeOf(app)
  rejectEarlyUse(app)
  rejectEarlyUse(Object.create(app))
  t.equal(Object.getPrototypeOf(app), prototype, 'done once')

  const bare: { requireSession?: unknown } = {}
  t.equal(bare.requireSession, undefined)
  rejectEarlyUse(Object.create(Object.create(bare)))
  t.throws(() => bare.requireSession, early)
  bare.requireSession = 1
  t.equal(bare.requireSession, 1)
})

t.test('an instance from before the import rejects early use once the plugin is loaded', async (t) => {
  const program = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { default: Fastify } = await import(workerData.fastify)
    const app = Fastify()
    const before = typeof app.requireSession
    const { default: postern } = await import(workerData.plugin)
    await app.register(async (scope) => { await scope.register(postern, { providers: [], url: 'https://app.test' }) })
    let after = 'none'
    try { app.requireSession } catch (error) { after = error.code }
    parentPort.postMessage({ before, after })
    await app.close()`
  const fastify = pathToFileURL(createRequire(import.meta.url).resolve('fastify')).href
  const plugin = new URL('../src/index.js', import.meta.url).href
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    workerData: { fastify, plugin },
    stderr: true
  })
  const [reported] = await once(worker, 'message')
  t.same(reported, { before: 'undefined', after: 'POSTERN_NOT_REGISTERED' })
})

t.test('a guard of the whole application leaves the sign-in routes reachable', async (t) => {
  const before = (app: FastifyInstance): void => {
    app.addHook('onRequest', requireSession)
    app.addHook('preHandler', requireSession.with({ authorized: () => true }))
  }
  const { browser } = await start(t, { before, stays: 'it adds hooks in this process' })
  t.equal((await browser.request('GET', '/', { headers: { accept: 'application/json' } })).status, 401)
  t.match(await browser.open('/'), { status: 302, location: /\/api\/auth\/signin\?/ })
  t.equal((await browser.open('/api/auth/signin')).status, 200)
  await signInByForm(browser)
  t.match(await browser.open('/'), { status: 200, body: /grace/ })
  t.match(await browser.open('/me'), { status: 200 })
})

t.test('a guard that runs before the hook of the plugin writes the cookies that are due, once', async (t) => {
  for (const isChild of [true, false]) {
    const app = Fastify()
    t.teardown(() => app.close())
    let time = Date.now()
    const add = (scope: FastifyInstance): void => {
      scope.addHook('onRequest', requireSession)
      scope.get('/private', async (request) => ({ name: request.auth?.user?.name }))
    }
    if (isChild) app.register(async (scope) => add(scope))
    else add(app)
    app.register(postern, { ...options, session: { maxAge: 3600, updateAge: 60 }, runtime: { now: () => time } })
    await app.ready()
    const cookies = await signInAs(app, { id: '1', name: 'Ada' }, { origin })
    time += 120_000
    const response = await app.inject({ url: '/private', cookies })
    t.match(response, { statusCode: 200, body: '{"name":"Ada"}' })
    t.equal(response.cookies.length, 1)
  }
})
