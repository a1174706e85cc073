import './page.ts'
import { mock } from 'node:test'
import t from 'tap'
import { Client } from '../src/client.ts'
import { SessionStore } from '../src/session-store.ts'
import type { Refetching, SessionContextValue } from '../src/types.ts'
import { dispatchStorage, dispatchUser, getRendered, listenLikeNextAuth, page, reset, setOnline, turn } from './page.ts'
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
    t.match(store.current(), { status })
    t.equal(store.current().data, given)
    t.equal(store.first, store.current())
    await settled()
    t.same(server.requested(), [], 'no request is sent before it is subscribed to')
  }
})

t.test('a session that is not known is read, and shown', async (t) => {
  const { server, store, shown } = await watch(t)
  t.same(server.requested(), ['GET /api/auth/session'])
  t.match(store.current(), { data: ada, status: 'authenticated' })
  t.equal(shown.length, 1)
  t.match(store.first, { status: 'loading' }, 'the initial state stays')
})

t.test('a given session is not read, also if it is null', async (t) => {
  for (const given of [ada, null]) {
    const { server, shown } = await watch(t, { given })
    t.same([server.requested(), shown], [[], []])
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

t.test('the same answer is the same object: nothing is shown again', async (t) => {
  const { server, store, shown } = await watch(t, { given: ada, refetchInterval: 10 })
  const before = store.current()
  mock.timers.tick(10_000)
  await settled()
  t.same(server.requested(), ['GET /api/auth/session'])
  t.equal(store.current(), before)
  server.session = { ...ada, expires: '2031-01-01T00:00:00.000Z' }
  mock.timers.tick(10_000)
  await settled()
  t.equal(shown.length, 1, 'a new end is shown')
  t.equal(shown[0]?.data?.expires, '2031-01-01T00:00:00.000Z')
  t.equal(shown[0]?.update, before.update, 'update is the same function permanently')
})

t.test('coming back to the page reads the session, also while it is loading', async (t) => {
  const { server } = await watch(t)
  turn('visible')
  await settled()
  t.equal(server.requests.length, 2)
  turn('hidden')
  await settled()
  t.equal(server.requests.length, 2, 'leaving reads nothing')
  const slow = createServer(ada)
  const gate = slow.hold()
  const { store } = await watch(t, { on: slow })
  turn('visible')
  await settled()
  t.equal(gate.waiting(), 2)
  await gate.release(1)
  t.match(store.current(), { data: ada, status: 'authenticated' })
})

t.test('focusThrottleInterval limits the reads of coming back', async (t) => {
  const { server } = await watch(t, { focusThrottleInterval: 60 })
  const requests = async (): Promise<number> => {
    turn('visible')
    await settled()
    return server.requests.length
  }
  t.equal(await requests(), 1, 'the first read is not a minute ago')
  mock.timers.tick(59_999)
  t.equal(await requests(), 1)
  mock.timers.tick(1)
  t.equal(await requests(), 2)
  t.equal(await requests(), 2)
  minutes(1)
  turn('hidden')
  await settled()
  t.equal(server.requests.length, 2, 'leaving reads nothing')
  t.equal(await requests(), 3)
})

t.test('focusing reads nothing without a session, or if it is disabled', async (t) => {
  for (const options of [{ given: null }, { given: ada, refetchOnWindowFocus: false }]) {
    const { server } = await watch(t, options)
    minutes(2)
    turn('visible')
    await settled()
    t.same(server.requested(), [])
  }
})

t.test('the interval reads while a user is signed in', async (t) => {
  const { server } = await watch(t, { given: ada, refetchInterval: 30 })
  minutes(1)
  await settled()
  t.equal(server.requests.length, 2, 'also while a read is pending')
  server.session = null
  mock.timers.tick(30_000)
  await settled()
  t.equal(server.requests.length, 3)
  minutes(5)
  await settled()
  t.equal(server.requests.length, 3, 'no user is signed in')
})

t.test('the interval reads offline too, unless it is disabled', async (t) => {
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
  const message = JSON.stringify(getRendered())
  for (let count = 0; count < 10; count += 1) dispatchStorage(message)
  await settled()
  t.equal(server.requests.length, 1)
})

t.test('another tab with another user causes one read, and is not answered', async (t) => {
  const { server, store } = await watch(t)
  const message = localStorage.getItem('nextauth.message')
  server.session = grace
  dispatchUser('other')
  await settled()
  t.equal(server.requests.length, 2)
  t.match(store.current(), { data: grace })
  t.equal(localStorage.getItem('nextauth.message'), message, 'the tab that spoke knows already')
})

t.test('a sign-out in another tab is read once, and is ignored if the user is signed out', async (t) => {
  const { server, store } = await watch(t)
  await new Client(createServer().send).signOut({ redirect: false })
  const message = JSON.stringify(getRendered())
  server.session = null
  dispatchStorage(message)
  await settled()
  t.match(store.current(), { data: null, status: 'unauthenticated' })
  dispatchStorage(message)
  await settled()
  t.equal(server.requests.length, 2)
})

t.test('a tab with the client of next-auth names no user: every message is read', async (t) => {
  const { server, store } = await watch(t)
  server.session = grace
  listenLikeNextAuth()
  await settled()
  t.match(store.current(), { data: grace })
  server.session = null
  listenLikeNextAuth('signout')
  await settled()
  t.match(store.current(), { status: 'unauthenticated' })
  t.equal(server.requests.length, 3)
})

t.test('a message while a read is pending is read at once', async (t) => {
  const { server, store } = await watch(t)
  const gate = server.hold()
  for (let count = 0; count < 5; count += 1) listenLikeNextAuth()
  await settled()
  t.equal(server.requests.length, 2, 'messages of the same moment share a read')
  server.session = null
  listenLikeNextAuth('signout')
  await settled()
  t.equal(gate.waiting(), 2)
  await gate.release(1)
  t.match(store.current(), { status: 'unauthenticated' })
  await gate.release()
  t.match(store.current(), { status: 'unauthenticated' }, 'the older response is not shown')
})

t.test('messages that are not from Postern are ignored', async (t) => {
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
  for (const text of texts) dispatchStorage(text)
  dispatchStorage(JSON.stringify({ event: 'session', data: { trigger: 'getSession' } }), 'another.key')
  await settled()
  t.equal(server.requests.length, 1)
})

t.test('a server that cannot be asked has signed no one out', async (t) => {
  const errors = catchErrors(t)
  const { server, store, shown } = await watch(t, { given: ada })
  server.results.set('session', () => Response.json({}, { status: 503 }))
  minutes(1)
  turn('visible')
  await settled()
  t.same(shown, [])
  t.match(store.current(), { data: ada, status: 'authenticated' })
  t.equal(errors.length, 1, 'one line, and none of Postern’s')
})

t.test('a first read that fails ends the loading, and is tried again when the visitor comes back', async (t) => {
  catchErrors(t)
  const server = createServer(ada)
  server.results.set('session', () => Response.json({}, { status: 503 }))
  const { store } = await watch(t, { on: server })
  t.match(store.current(), { data: null, status: 'unauthenticated' })
  server.results.clear()
  minutes(1)
  turn('visible')
  await settled()
  t.match(store.current(), { data: ada, status: 'authenticated' })
})

t.test('an update shows the server’s response, loading meanwhile, and notifies every tab', async (t) => {
  const { server, store, shown } = await watch(t, { given: ada })
  const updated = { ...ada, theme: 'dark' }
  server.results.set('session', () => Response.json(updated))
  t.same(await store.current().update({ theme: 'dark' }), updated)
  t.match(shown, [
    { data: ada, status: 'loading' },
    { data: updated, status: 'authenticated' }
  ])
  t.equal(shown[0]?.data, ada)
  t.same(server.requested(), ['GET /api/auth/csrf', 'POST /api/auth/session'])
  t.same(getRendered()?.data, { trigger: 'getSession' })
  t.equal(getRendered()?.user, undefined, 'no user is named, so that tabs of the same user read it too')
})

t.test('an update that changes nothing keeps the object', async (t) => {
  const { store, shown } = await watch(t, { given: ada })
  await store.current().update()
  t.equal(store.current().data, ada)
  t.match(shown, [{ status: 'loading' }, { status: 'authenticated' }])
})

t.test('an update asks nothing while no user is signed in, or while one is in progress', async (t) => {
  const anonymous = await watch(t, { given: null })
  t.equal(await anonymous.store.current().update({ name: 'Eve' }), undefined)
  t.same(anonymous.server.requested(), [])
  const other = await watch(t, { given: ada })
  const first = other.store.current().update()
  t.equal(await other.store.current().update(), undefined)
  await first
  t.equal(other.server.requests.length, 2)
})

t.test('an update that fails changes nothing and answers null', async (t) => {
  catchErrors(t)
  const { server, store } = await watch(t, { given: ada })
  const before = JSON.stringify(getRendered())
  server.results.set('session', () => Response.json({}, { status: 400 }))
  t.equal(await store.current().update({ name: 'Eve' }), null)
  t.match(store.current(), { data: ada, status: 'authenticated' })
  t.equal(store.current().data, ada)
  t.equal(JSON.stringify(getRendered()), before)
})

t.test('an update of a session that has ended shows that no user is signed in', async (t) => {
  const { server, store } = await watch(t, { given: ada })
  server.session = null
  t.equal(await store.current().update(), null)
  t.match(store.current(), { data: null, status: 'unauthenticated' })
})

t.test('a read that started before an update does not end its loading, and is not shown after it', async (t) => {
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

t.test('the initial session of the page is broadcast to the other tabs', async (t) => {
  await watch(t, { given: ada })
  const first = getRendered()
  t.match(first, { event: 'session', data: { trigger: 'getSession' } })
  await watch(t, { given: ada })
  t.same(getRendered(), first)
})

t.test('after the watch nothing is read', async (t) => {
  const { server, stop } = await watch(t, { refetchInterval: 10 })
  stop()
  minutes(5)
  turn('visible')
  listenLikeNextAuth()
  await settled()
  t.equal(server.requests.length, 1)
  t.same(page.visited, [])
})
