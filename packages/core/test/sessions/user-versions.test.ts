import t from 'tap'
import type { Adapter } from '../../src/adapter/adapter.ts'
import { type AccessChange, nextVersion, type WriteChange } from '../../src/sessions/user-versions.ts'
import {
  createActing,
  nothing,
  type Opened,
  open,
  raise,
  tokensOf,
  withoutTransactions
} from '../accounts/open-store.ts'

const start = Date.parse('2030-01-01')

/** Another change that comes first, as often as `times`. */
const overlap = ({ userVersions }: Opened, times: number, change: AccessChange): WriteChange<number> => {
  let count = 0
  return async () => {
    count += 1
    if (count <= times) await userVersions.change(change, nothing)
    return count
  }
}

for (const [name, wrap] of [
  ['with transactions', (adapter: Adapter) => adapter],
  ['without transactions', withoutTransactions]
] as const) {
  t.test(
    `end-1: ${name}: a change that raises ends all sessions but the acting one, which is another one then`,
    async (t) => {
      const opened = open(wrap)
      const { userVersions, adapter, session, getRow, rows, told } = opened
      for (const token of ['own', 'other']) await adapter.createSession?.(session(token))
      const acting = createActing(opened, 'own')
      const { version } = await userVersions.change(
        { ...raise, acting, events: [{ type: 'unlink', userId: 'ada' }], ended: { userId: 'ada', sessionId: null } },
        nothing
      )
      t.strictSame(tokensOf(opened), ["own'"])
      t.match(getRow(), { version, sessionsFrom: version })
      t.equal(rows.revocations.get('user:ada')?.version, version, 'JWT sessions have ended, too')
      t.strictSame(
        rows.events.map(({ type }) => type),
        ['unlink', 'session-end']
      )
      t.strictSame(told, ['ended null', 'unlink', 'session-end'])
    }
  )

  t.test(`${name}: a change that does not raise ends nothing`, async (t) => {
    const opened = open(wrap)
    const { userVersions, adapter, session, getRow, rows } = opened
    await adapter.createSession?.(session('other'))
    await userVersions.change({ userId: 'ada', raises: false }, nothing)
    t.strictSame(tokensOf(opened), ['other'])
    t.match(getRow(), { sessionsFrom: 0 })
    t.equal(rows.revocations.size, 0)
  })

  t.test(
    `${name}: a session that has ended changes nothing, nor does a suspended user, but what is forced does`,
    async (t) => {
      const opened = open(wrap)
      const { userVersions, getRow } = opened
      await userVersions.change(raise, nothing)
      const { version = 0 } = getRow() ?? {}
      await t.rejects(userVersions.change({ ...raise, acting: createActing(opened, 'gone') }, nothing), {
        code: 'SessionRequired'
      })
      t.equal(getRow()?.version, version, 'nothing has changed')
      const suspendedAt = new Date(start)
      await userVersions.change({ ...raise, isForced: true, suspendedAt }, nothing)
      const latest = getRow()?.version ?? 0
      const acting = { ...createActing(opened, 'gone'), isAllowed: async () => true }
      await t.rejects(userVersions.change({ ...raise, acting }, nothing), { code: 'UserSuspended' })
      await userVersions.change({ ...raise, isForced: true }, nothing)
      t.ok((getRow()?.version ?? 0) > latest)
      t.strictSame(getRow()?.suspendedAt, suspendedAt, 'it stays suspended')
    }
  )

  t.test(`${name}: the version exceeds each one before, and the time`, async (t) => {
    const { userVersions, getRow, advance } = open(wrap)
    const seen: number[] = []
    for (const wait of [0, 0, 5000, -10_000]) {
      advance(wait)
      await userVersions.change(raise, nothing)
      seen.push(getRow()?.version ?? 0)
    }
    t.strictSame(
      seen,
      seen.toSorted((one, other) => one - other)
    )
    t.equal(new Set(seen).size, 4)
    t.ok((seen[2] ?? 0) >= start + 5000)
  })
}

t.test('overlap-1: a change begins again if another one comes first, and after three restarts gives up', async (t) => {
  const opened = open()
  const { userVersions, rows, told } = opened
  const other: AccessChange = { userId: 'ada', raises: false }
  const event = { events: [{ type: 'unlink', userId: 'ada' } as const] }
  const { result } = await userVersions.change({ ...raise, ...event }, overlap(opened, 3, other))
  t.equal(result, 4, 'it was decided on four times')
  t.equal(rows.events.length, 1, 'and written once')
  t.strictSame(told, ['unlink'])
  const conflict = { code: 'StoreUnavailable', statusCode: 503, retryAfter: 1 }
  await t.rejects(userVersions.change({ ...raise, ...event }, overlap(opened, 4, other)), conflict)
  t.equal(rows.events.length, 1, 'nothing is written')
})

t.test('what is forced never begins again, and at last neither does what is forced then', async (t) => {
  const opened = open()
  const { userVersions } = opened
  const other: AccessChange = { userId: 'ada', raises: false }
  const count = async (isForced: true | 'at last'): Promise<number> =>
    (await userVersions.change({ ...raise, isForced }, overlap(opened, 9, other))).result
  t.equal(await count(true), 1)
  t.equal(await count('at last'), 4)
})

t.test('overlap-1: of two sessions that end the others at once, one stays', async (t) => {
  const opened = open()
  const { userVersions, adapter, session } = opened
  for (const token of ['one', 'two', 'three']) await adapter.createSession?.(session(token))
  const ending = ['one', 'two'].map((token) =>
    userVersions.change({ ...raise, acting: createActing(opened, token) }, nothing)
  )
  const results = await Promise.allSettled(ending)
  t.strictSame(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  t.equal(tokensOf(opened).length, 1)
})

t.test('a change whose write fails has no effect', async (t) => {
  const opened = open()
  const { userVersions, adapter, session, getRow } = opened
  await adapter.createSession?.(session('other'))
  const fail = async (): Promise<never> => Promise.reject(new Error('LAST_WAY_IN'))
  await t.rejects(userVersions.change(raise, fail), { message: 'LAST_WAY_IN' })
  t.equal(getRow(), undefined)
  t.strictSame(tokensOf(opened), ['other'])
})

const lost = (): Error => Object.assign(new Error('connect ECONNRESET'), { code: 'ECONNRESET' })

t.test('after a lost reply, a change is made once', async (t) => {
  for (const isBefore of [true, false]) {
    let calls = 0
    const opened = open((adapter) => ({
      ...adapter,
      transact: async (all) => {
        calls += 1
        if (calls === 1 && isBefore) throw lost()
        const isDone = await adapter.transact?.(all)
        if (calls === 1) throw lost()
        return isDone ?? false
      }
    }))
    await opened.userVersions.change({ ...raise, events: [{ type: 'unlink', userId: 'ada' }] }, nothing)
    t.equal(calls, isBefore ? 2 : 1)
    t.equal(opened.rows.events.length, 1)
  }
})

t.test('a change that another one has followed before its reply was lost is unknown', async (t) => {
  let calls = 0
  const opened = open((adapter) => ({
    ...adapter,
    transact: async (all) => {
      calls += 1
      await adapter.transact?.(all)
      if (calls > 1) return true
      await opened.userVersions.change(raise, nothing)
      throw lost()
    }
  }))
  await t.rejects(opened.userVersions.change(raise, nothing), { code: 'StoreUnavailable', statusCode: 503 })
})

t.test('without transactions, an end of all sessions within a change ends the acting session', async (t) => {
  const opened = open(withoutTransactions)
  const { userVersions, adapter, session } = opened
  await adapter.createSession?.(session('own'))
  const acting = createActing(opened, 'own')
  const { cookies } = await userVersions.change({ userId: 'ada', raises: false, acting }, async () =>
    userVersions.endSessions('ada')
  )
  t.equal(cookies.size, 0)
  t.strictSame(tokensOf(opened), [])
})

t.test('an adapter without versions ends sessions by its revocations', async (t) => {
  const opened = open(({ advanceUser: _, getUserVersion: __, ...adapter }) => adapter)
  const { userVersions, adapter, session, rows } = opened
  await adapter.createSession?.(session('other'))
  const { version } = await userVersions.change(raise, nothing)
  t.strictSame(tokensOf(opened), [])
  t.equal(rows.revocations.get('user:ada')?.version, version)
})

t.test('a version exceeds the one before it, and the time', async (t) => {
  t.equal(nextVersion(0, 1000), 1000)
  t.equal(nextVersion(1000, 1000), 1001)
  t.equal(nextVersion(5000, 1000), 5001)
})
