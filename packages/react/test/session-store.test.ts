import './page.ts'
import { mock } from 'node:test'
import t from 'tap'
import { Client } from '../src/client.ts'
import { SessionStore } from '../src/session-store.ts'
import type { Refetching, SessionContextValue } from '../src/types.ts'
import { hear, hearNextAuth, page, reset, setOnline, told, turn } from './page.ts'
import { ada, catchErrors, createServer, grace, type Server, settled } from './server.ts'

interface Test {
  teardown(work: () => unknown): unknown
}

interface Watched {
  readonly server: Server
  readonly store: SessionStore
  /** Every value that was shown after the first one. */
  readonly shown: SessionContextValue[]
  readonly stop: () => void
}

interface WatchOptions extends Refetching {
  readonly on?: Server
  readonly given?: typeof ada | null
  readonly client?: Client
}

async function watch(t: Test, { on, given, client, ...when }: WatchOptions = {}): Promise<Watched> {
  const server = on ?? createServer(ada)
  const store = new SessionStore(client ?? new Client(server.send), given)
  const shown: SessionContextValue[] = []
  store.subscribe(() => shown.push(store.current()))
  const stop = store.watch(when)
  t.teardown(stop)
  await settled()
  return { server, store, shown, stop }
}

const minutes = (count: number): void => mock.timers.tick(count * 60_000)

t.beforeEach(() => {
  reset()
  setOnline(true)
  mock.timers.enable({ apis: ['Date', 'setInterval'], now: Date.now() })
})
t.afterEach(() => mock.timers.reset())

t.test('at first it is loading, unless the session is given', async (t) => {
  const cases: readonly [given: typeof ada | null | undefined, status: string][] = [
    [undefined, 'loading'],
    [null, 'unauthenticated'],
    [ada, 'authenticated']
  ]
  for (const [given, status] of cases) {
    const server = createServer()
    const store = new SessionStore(new Client(server.send), given)
    t.match(store.current(), { data: given ?? null, status })
    t.equal(store.first, store.current())
    await settled()
    t.same(server.asked(), [], 'nobody is asked before it is watched')
  }
})

t.test('a session that is not known is read, and shown', async (t) => {
  const { server, store, shown } = await watch(t)
  t.same(server.asked(), ['GET /api/auth/session'])
  t.match(store.current(), { data: ada, status: 'authenticated' })
  t.equal(shown.length, 1)
  t.match(store.first, { status: 'loading' }, 'what was known at first stays')
})

t.test('a session that is given is not read, also where it is nobody', async (t) => {
  for (const given of [ada, null]) {
    const { server, shown } = await watch(t, { given })
    t.same([server.asked(), shown], [[], []])
  }
})

t.test('a watch that ends and begins again, as in StrictMode, reads once', async (t) => {
  const server = createServer(ada)
  const store = new SessionStore(new Client(server.send), undefined)
  store.watch({})()
  t.teardown(store.watch({}))
  await settled()
  t.equal(server.requests.length, 1)
  t.match(store.current(), { status: 'authenticated' })
})

t.test('two providers on a page read once, and show the same object', async (t) => {
  const server = createServer(ada)
  const client = new Client(server.send)
  const [one, other] = await Promise.all([watch(t, { on: server, client }), watch(t, { on: server, client })])
  t.equal(server.requests.length, 1)
  t.equal(one.store.current().data, other.store.current().data)
})

t.test('the same answer is the same object: nothing is shown anew', async (t) => {
  const { server, store, shown } = await watch(t, { given: ada, refetchInterval: 10 })
  const before = store.current()
  mock.timers.tick(10_000)
  await settled()
  t.same(server.asked(), ['GET /api/auth/session'])
  t.equal(store.current(), before)
  server.session = { ...ada, expires: '2031-01-01T00:00:00.000Z' }
  mock.timers.tick(10_000)
  await settled()
  t.equal(shown.length, 1, 'a new end is shown')
  t.equal(shown[0]?.data?.expires, '2031-01-01T00:00:00.000Z')
  t.equal(shown[0]?.update, before.update, 'update is the same function for good')
})

t.test('coming back to the page reads the session, at most once a minute', async (t) => {
  const { server } = await watch(t)
  const asked = async (): Promise<number> => {
    turn('visible')
    await settled()
    return server.requests.length
  }
  t.equal(await asked(), 1, 'the first read is not a minute ago')
  mock.timers.tick(59_999)
  t.equal(await asked(), 1)
  mock.timers.tick(1)
  t.equal(await asked(), 2)
  t.equal(await asked(), 2)
  minutes(1)
  turn('hidden')
  await settled()
  t.equal(server.requests.length, 2, 'leaving reads nothing')
  t.equal(await asked(), 3)
})

t.test('coming back reads nothing while nobody is signed in, or where it is switched off', async (t) => {
  for (const options of [{ given: null }, { given: ada, refetchOnWindowFocus: false }]) {
    const { server } = await watch(t, options)
    minutes(2)
    turn('visible')
    await settled()
    t.same(server.asked(), [])
  }
})

t.test('the interval reads while somebody is signed in', async (t) => {
  const { server } = await watch(t, { given: ada, refetchInterval: 30 })
  minutes(1)
  await settled()
  t.equal(server.requests.length, 1, 'reads that are due while one is under way are that one')
  server.session = null
  mock.timers.tick(30_000)
  await settled()
  t.equal(server.requests.length, 2)
  minutes(5)
  await settled()
  t.equal(server.requests.length, 2, 'nobody is signed in')
})

t.test('the interval reads offline too, unless it is told not to', async (t) => {
  setOnline(false)
  const always = await watch(t, { given: ada, refetchInterval: 30 })
  const online = await watch(t, { given: ada, refetchInterval: 30, refetchWhenOffline: false })
  mock.timers.tick(30_000)
  await settled()
  t.equal(always.server.requests.length, 1)
  t.equal(online.server.requests.length, 0)
  setOnline(true)
  mock.timers.tick(30_000)
  await settled()
  t.equal(online.server.requests.length, 1)
})

t.test('another tab with the same user causes no read', async (t) => {
  const { server } = await watch(t)
  const message = JSON.stringify(told())
  for (let count = 0; count < 10; count += 1) hear(message)
  await settled()
  t.equal(server.requests.length, 1)
})

t.test('another tab with another user causes one read, and is not answered', async (t) => {
  const { server, store } = await watch(t)
  const message = JSON.stringify(told())
  server.session = grace
  hear(message.replace(/"user":"[^"]*"/, '"user":"other"'))
  await settled()
  t.equal(server.requests.length, 2)
  t.match(store.current(), { data: grace })
  t.equal(JSON.stringify(told()), message, 'the tab that spoke knows already')
})

t.test('a sign-out in another tab is read once, and is no news for who is signed out', async (t) => {
  const { server, store } = await watch(t)
  await new Client(createServer().send).signOut({ redirect: false })
  const message = JSON.stringify(told())
  server.session = null
  hear(message)
  await settled()
  t.match(store.current(), { data: null, status: 'unauthenticated' })
  hear(message)
  await settled()
  t.equal(server.requests.length, 2)
})

t.test('a tab with the client of next-auth names no user: every message is read', async (t) => {
  const { server, store } = await watch(t)
  server.session = grace
  hearNextAuth()
  await settled()
  t.match(store.current(), { data: grace })
  server.session = null
  hearNextAuth('signout')
  await settled()
  t.match(store.current(), { status: 'unauthenticated' })
  t.equal(server.requests.length, 3)
})

t.test('messages while a read is under way are one more read', async (t) => {
  const { server } = await watch(t)
  const gate = server.hold()
  for (let count = 0; count < 5; count += 1) hearNextAuth()
  await settled()
  t.equal(server.requests.length, 2)
  await gate.release()
  await gate.release()
  t.equal(server.requests.length, 3)
})

t.test('what is no message of ours is not listened to', async (t) => {
  const { server } = await watch(t)
  const texts = [
    null,
    '',
    '{',
    'null',
    '5',
    '{}',
    '{"event":"other","data":{}}',
    '{"event":"session"}',
    '{"event":"session","data":null}'
  ]
  for (const text of texts) hear(text)
  hear(JSON.stringify({ event: 'session', data: { trigger: 'getSession' } }), 'another.key')
  await settled()
  t.equal(server.requests.length, 1)
})

t.test('a server that cannot be asked has signed nobody out', async (t) => {
  const errors = catchErrors(t)
  const { server, store, shown } = await watch(t, { given: ada })
  server.answers.set('session', () => Response.json({}, { status: 503 }))
  minutes(1)
  turn('visible')
  await settled()
  t.same(shown, [])
  t.match(store.current(), { data: ada, status: 'authenticated' })
  t.equal(errors.length, 1, 'one line, and none of our own')
})

t.test('a first read that fails ends the loading, and is tried again when the visitor comes back', async (t) => {
  catchErrors(t)
  const server = createServer(ada)
  server.answers.set('session', () => Response.json({}, { status: 503 }))
  const { store } = await watch(t, { on: server })
  t.match(store.current(), { data: null, status: 'unauthenticated' })
  server.answers.clear()
  minutes(1)
  turn('visible')
  await settled()
  t.match(store.current(), { data: ada, status: 'authenticated' })
})

t.test('an update shows what the server answers, loading meanwhile, and tells every tab', async (t) => {
  const { server, store, shown } = await watch(t, { given: ada })
  const updated = { ...ada, theme: 'dark' }
  server.answers.set('session', () => Response.json(updated))
  t.same(await store.current().update({ theme: 'dark' }), updated)
  t.match(shown, [
    { data: ada, status: 'loading' },
    { data: updated, status: 'authenticated' }
  ])
  t.equal(shown[0]?.data, ada)
  t.same(server.asked(), ['GET /api/auth/csrf', 'POST /api/auth/session'])
  t.same(told()?.data, { trigger: 'getSession' }, 'no user is named, so that tabs of the same user read it too')
})

t.test('an update that changes nothing keeps the object', async (t) => {
  const { store, shown } = await watch(t, { given: ada })
  await store.current().update()
  t.equal(store.current().data, ada)
  t.match(shown, [{ status: 'loading' }, { status: 'authenticated' }])
})

t.test('an update asks nothing while nobody is signed in, or while one is under way', async (t) => {
  const nobody = await watch(t, { given: null })
  t.equal(await nobody.store.current().update({ name: 'Eve' }), undefined)
  t.same(nobody.server.asked(), [])
  const somebody = await watch(t, { given: ada })
  const first = somebody.store.current().update()
  t.equal(await somebody.store.current().update(), undefined)
  await first
  t.equal(somebody.server.requests.length, 2)
})

t.test('an update that fails changes nothing and answers null', async (t) => {
  catchErrors(t)
  const { server, store } = await watch(t, { given: ada })
  const before = JSON.stringify(told())
  server.answers.set('session', () => Response.json({}, { status: 400 }))
  t.equal(await store.current().update({ name: 'Eve' }), null)
  t.match(store.current(), { data: ada, status: 'authenticated' })
  t.equal(store.current().data, ada)
  t.equal(JSON.stringify(told()), before)
})

t.test('an update of a session that is over shows that nobody is signed in', async (t) => {
  const { server, store } = await watch(t, { given: ada })
  server.session = null
  t.equal(await store.current().update(), null)
  t.match(store.current(), { data: null, status: 'unauthenticated' })
})

t.test('a read that began before an update does not end its loading, and is not shown after it', async (t) => {
  const slow = async (isLate: boolean): Promise<void> => {
    const { server, store } = await watch(t, { given: ada, refetchInterval: 10 })
    const gate = server.hold()
    mock.timers.tick(10_000)
    const updating = store.current().update({ name: 'Grace' })
    await settled()
    server.session = grace
    if (!isLate) await gate.release()
    t.match(store.current(), { data: ada, status: 'loading' })
    const at = isLate ? 1 : 0
    await gate.release(at)
    await gate.release(at)
    t.same(await updating, grace)
    if (isLate) await gate.release()
    t.equal(gate.waiting(), 0)
    t.match(store.current(), { data: grace, status: 'authenticated' })
  }
  await slow(false)
  await slow(true)
})

t.test('a session that came with the page is told to the other tabs', async (t) => {
  await watch(t, { given: ada })
  const first = told()
  t.match(first, { event: 'session', data: { trigger: 'getSession' } })
  await watch(t, { given: ada })
  t.same(told(), first)
})

t.test('after the watch nothing is read', async (t) => {
  const { server, stop } = await watch(t, { refetchInterval: 10 })
  stop()
  minutes(5)
  turn('visible')
  hearNextAuth()
  await settled()
  t.equal(server.requests.length, 1)
  t.same(page.visited, [])
})
