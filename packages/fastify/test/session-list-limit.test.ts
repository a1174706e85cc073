import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, UserSession } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { start } from './start.ts'
import { signInWithRecords } from './start-with-session-records.ts'

const routes = new URL('./session-manager-routes.js', import.meta.url).href
const day = 24 * 60 * 60

type Memory = ReturnType<typeof memoryAdapter>

/** An adapter of another library: it returns all rows, the oldest first. */
const ignoreLimits = (good: Memory): Adapter => ({
  ...good,
  listSessions: (userId) => good.listSessions(userId),
  getSessionRecords: (query) => good.getSessionRecords('userId' in query ? { userId: query.userId } : query)
})

const getNames = (sessions: readonly UserSession[]) => sessions.map(({ userAgent }) => userAgent)
const getCurrent = (sessions: readonly UserSession[]) =>
  sessions.filter(({ isCurrent }) => isCurrent).map(({ userAgent }) => userAgent)

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)())
  for (const [name, wrap] of [
    ['an adapter that applies limits', (good: Memory): Adapter => good],
    ['an adapter that ignores limits', ignoreLimits]
  ] as const) {
    /** An application whose user is signed in on six devices. */
    const open = async (t: Parameters<typeof start>[0]) => {
      const good = memoryAdapter()
      const started = await start(t, { routes, session: { strategy }, adapter: wrap(good) })
      const browsers: Browser[] = []
      for (let device = 0; device < 6; device++) {
        browsers.push(await signInWithRecords(started.newBrowser(), `device ${device}`))
        started.clock.advance(60)
      }
      const id = (await good.getUserByEmail('grace@example.com'))?.id ?? 'id-grace'
      const { sessions } = started.app.postern
      const list = async (limit: number) => getNames(await sessions.list(id, undefined, { limit }))
      return { ...started, good, browsers, id, sessions, list }
    }

    test(`${strategy}: a limit selects the newest sessions: ${name}`, async (t) => {
      const { sessions, list, id, good } = await open(t)
      t.same(await list(3), ['device 5', 'device 4', 'device 3'])
      t.same(await list(6), getNames(await sessions.list(id)))
      t.same(await list(100), getNames(await sessions.list(id)))
      const [newest] = await sessions.list(id)
      const revoked = `session:${newest?.id}`
      await (strategy === 'jwt'
        ? good.revoke(revoked, new Date('2031-01-01'))
        : good.deleteSession(await getToken(good, id)))
      t.same(await list(3), ['device 4', 'device 3', 'device 2'], 'without a session that has ended')
    })

    test(`${strategy}: the session of the request is in the list: ${name}`, async (t) => {
      const { browsers, id, clock } = await open(t)
      const list = async (device: number, limit: number) =>
        (await browsers[device]?.json<readonly UserSession[]>(`/devices/${id}?limit=${limit}`)) ?? []
      const oldest = await list(0, 3)
      t.same(getNames(oldest), ['device 5', 'device 4', 'device 0'])
      t.same(getCurrent(oldest), ['device 0'])
      const shown = await list(4, 3)
      t.same(getNames(shown), ['device 5', 'device 4', 'device 3'])
      t.same(getCurrent(shown), ['device 4'])
      t.same(getNames(await list(0, 1)), ['device 0'])
      t.same(getNames(await list(0, 6)).length, 6)
      clock.advance(2 * day)
      await browsers[1]?.open('/api/auth/session')
      t.ok(getNames(await list(5, 2)).includes('device 1'), 'a session that was renewed counts as used')
    })

    test(`${strategy}: records of other sessions take no place in the list: ${name}`, async (t) => {
      const { list, id, good, clock } = await open(t)
      const [known] = await good.getSessionRecords({ userId: id })
      if (!known) throw new Error('expected a record')
      const expires = new Date(clock.now() + 400 * day * 1000)
      for (let count = 0; count < 9; count++) {
        const sessionToken = strategy === 'jwt' ? `h1.${count}` : null
        await good.putSessionRecord({ ...known, id: `other-${count}`, sessionToken, expires, userAgent: 'other' })
      }
      t.same(await list(3), ['device 5', 'device 4', 'device 3'])
    })
  }

/** The stored token of the session that expires last. */
async function getToken(adapter: Memory, userId: string): Promise<string> {
  const [session] = await adapter.listSessions(userId, 1)
  return session?.sessionToken ?? ''
}

t.test('database: a session without a record is in the list of its own request', async (t) => {
  const adapter = memoryAdapter()
  const started = await start(t, { routes, session: { strategy: 'database' }, adapter })
  const old = await signInWithRecords(started.newBrowser(), 'old')
  const id = (await adapter.getUserByEmail('grace@example.com'))?.id ?? ''
  for (const record of await adapter.getSessionRecords({ userId: id })) await adapter.deleteSessionRecord(record.id)
  for (let device = 0; device < 4; device++) {
    started.clock.advance(60)
    await signInWithRecords(started.newBrowser(), `device ${device}`)
  }
  const listed = await old.json<readonly UserSession[]>(`/devices/${id}?limit=3`)
  t.same(getNames(listed), ['device 3', 'device 2', null])
  t.same(
    listed.map(({ isCurrent }) => isCurrent),
    [false, false, true]
  )
  const all = await old.json<readonly UserSession[]>(`/devices/${id}`)
  t.same(listed.at(-1), all.at(-1), 'it is described as in the list of all')
})

t.test('a limit that is not a positive integer is refused', async (t) => {
  const { app } = await start(t, { session: { strategy: 'jwt' } })
  for (const limit of [0, -1, 1.5, Number.NaN, '3'])
    await t.rejects(app.postern.sessions.list('1', undefined, JSON.parse(JSON.stringify({ limit }))), TypeError)
  t.same(await app.postern.sessions.list('1', undefined, {}), [])
})
