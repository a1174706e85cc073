import { randomUUID } from 'node:crypto'
import type { AdapterCall, UserAdvance } from '@postern/core'
import { type Case, has, optional } from './case.ts'
import { createPerson, hasFields, inAnHour, isNone, newRecord, newSession, newUser, race } from './data.ts'

const its = optional('versions')

/** A change of the row of a user that ends nothing. */
function newAdvance(userId: string, fields: Partial<UserAdvance> = {}): UserAdvance {
  const until = new Date('2031-02-03T04:05:06.789Z')
  return { userId, expected: 0, version: 1000, changeId: randomUUID(), raises: false, until, ...fields }
}

/** The rows that say what may sign in as a user. */
export const userVersions: readonly Case[] = [
  its('advanceUser', 'the first change creates the row', async (t, adapter) => {
    const userId = randomUUID()
    isNone(t, await adapter.getUserVersion(userId), 'no row before it')
    const advance = newAdvance(userId)
    t.equal(await adapter.advanceUser(advance), true, 'it is made')
    const { version, changeId, until } = advance
    const row = { userId, version, changeId, until, sessionsFrom: 0, suspendedAt: null }
    hasFields(t, await adapter.getUserVersion(userId), row)
  }),

  its('advanceUser', 'a change writes its fields, and no others', async (t, adapter) => {
    const userId = randomUUID()
    const suspendedAt = new Date('2031-01-01T00:00:00.123Z')
    await adapter.advanceUser(newAdvance(userId, { version: 1000, raises: true, suspendedAt }))
    const second = newAdvance(userId, { expected: 1000, version: 1001, until: new Date('2030-01-01T00:00:00Z') })
    t.equal(await adapter.advanceUser(second), true, 'the second is made')
    const { changeId, version } = second
    const next = { userId, version, sessionsFrom: 1000, suspendedAt, changeId, until: newAdvance(userId).until }
    hasFields(t, await adapter.getUserVersion(userId), next)
    const until = new Date('2032-01-01T00:00:00.456Z')
    const third = newAdvance(userId, { expected: 1001, version: 5000, raises: true, suspendedAt: null, until })
    t.equal(await adapter.advanceUser(third), true, 'and the third')
    const last = { userId, version: 5000, sessionsFrom: 5000, suspendedAt: null, changeId: third.changeId, until }
    hasFields(t, await adapter.getUserVersion(userId), last)
  }),

  its('advanceUser', 'a change that expects another version has no effect', async (t, adapter) => {
    const [userId, other] = [randomUUID(), randomUUID()]
    t.equal(await adapter.advanceUser(newAdvance(userId, { expected: 7 })), false, 'there is no row')
    isNone(t, await adapter.getUserVersion(userId), 'and none is created')
    const first = newAdvance(userId)
    for (const advance of [first, newAdvance(other)]) await adapter.advanceUser(advance)
    for (const expected of [0, 999, 1001]) {
      const other = newAdvance(userId, { expected, version: 2000, raises: true })
      t.equal(await adapter.advanceUser(other), false, `not from ${expected}`)
    }
    t.equal((await adapter.getUserVersion(userId))?.changeId, first.changeId, 'the row is unchanged')
    t.equal((await adapter.getUserVersion(other))?.version, 1000, 'as is that of another user')
  }),

  its('advanceUser', 'a change without an expectation exceeds every version', async (t, adapter) => {
    const userId = randomUUID()
    const versions: unknown[] = []
    for (const version of [1000, 1000, 500, 3000]) {
      t.equal(await adapter.advanceUser(newAdvance(userId, { expected: null, version, raises: true })), true, 'made')
      const row = await adapter.getUserVersion(userId)
      versions.push(row?.version)
      t.equal(row?.sessionsFrom, row?.version, 'sessions count from the new version')
    }
    t.same(versions, [1000, 1001, 1002, 3000], 'the greater of the stored one plus 1 and the given one')
  }),

  its('advanceUser', 'what ends sessions revokes them with the new version', async (t, adapter) => {
    // Without transactions, the two may be in different stores.
    if (!has(adapter, 'getRevocations', 'transact')) return
    const userId = randomUUID()
    const revoked = async (): Promise<unknown> => (await adapter.getRevocations([`user:${userId}`]))[0]?.version ?? null
    await adapter.advanceUser(newAdvance(userId))
    t.equal(await revoked(), null, 'a change that ends nothing revokes nothing')
    const since = new Date(Date.now() - 60_000)
    await adapter.advanceUser(newAdvance(userId, { expected: 1000, version: 1001, raises: true }))
    t.equal(await revoked(), 1001, 'the new version')
    await adapter.advanceUser(newAdvance(userId, { expected: 1000, version: 4000, raises: true }))
    t.equal(await revoked(), 1001, 'nothing if the version is another one')
    await adapter.advanceUser(newAdvance(userId, { expected: null, version: 900, raises: true, until: inAnHour() }))
    t.equal(await revoked(), 1002, 'the version that the store has chosen')
    if (!has(adapter, 'listRevocations')) return
    // A store may list revocations by their versions, which are no lower than the time.
    const version = Date.now()
    await adapter.advanceUser(newAdvance(userId, { expected: null, version, raises: true, until: inAnHour() }))
    const listed = (await adapter.listRevocations(since, 100_000)).filter(({ subject }) => subject === `user:${userId}`)
    const versions = listed.map(({ version }) => version)
    t.same(versions, [version], 'it is listed')
  }),

  its('findUserVersion', 'finds a user with the row and the account', async (t, adapter) => {
    const { user, account } = await createPerson(adapter)
    const [{ id: userId, email }, { provider, providerAccountId }] = [user, account]
    const queries = [{ userId }, { account: { provider, providerAccountId } }, { email: email ?? '' }] as const
    for (const by of queries) t.equal((await adapter.findUserVersion(by))?.version, null, 'no row')
    await adapter.advanceUser(newAdvance(userId))
    for (const by of queries) {
      const found = await adapter.findUserVersion(by)
      t.same([found?.user.id, found?.user.email], [userId, email], 'the user')
      t.same([found?.version?.userId, found?.version?.version], [userId, 1000], 'the row')
      t.equal(found?.account?.providerAccountId, 'account' in by ? providerAccountId : undefined, 'the account')
      t.equal(found?.account?.userId, 'account' in by ? userId : undefined, 'which is that of the user')
    }
    isNone(t, await adapter.findUserVersion({ userId: randomUUID() }), 'nobody has the id')
    isNone(t, await adapter.findUserVersion({ email: `${randomUUID()}@example.com` }), 'nor the address')
    const other = { provider, providerAccountId: randomUUID() }
    isNone(t, await adapter.findUserVersion({ account: other }), 'nor the account')
  }),

  its(
    'deleteExpired',
    'keeps the row of a user who was deleted before its last change until its end',
    async (t, adapter) => {
      const { user } = await createPerson(adapter)
      const [until, after] = [new Date('2001-02-03T04:05:06.789Z'), new Date('2001-02-03T04:05:06.790Z')]
      await adapter.advanceUser(newAdvance(user.id, { until }))
      await adapter.deleteUser(user.id)
      const last = { until: new Date(0), expected: null, version: 1001, isGone: true }
      await adapter.advanceUser(newAdvance(user.id, last))
      await adapter.deleteExpired(until, 100_000)
      t.equal((await adapter.getUserVersion(user.id))?.version, 1001, 'it stays until its end')
      await adapter.deleteExpired(after, 100_000)
      isNone(t, await adapter.getUserVersion(user.id), 'and is deleted then')
    }
  ),

  its('deleteExpired', 'keeps the row of a deleted user until its end', async (t, adapter) => {
    const [{ user }, { user: left }] = [await createPerson(adapter), await createPerson(adapter)]
    const [until, after] = [new Date('2001-02-03T04:05:06.789Z'), new Date('2001-02-03T04:05:06.790Z')]
    for (const { id } of [user, left]) await adapter.advanceUser(newAdvance(id, { until }))
    await adapter.deleteExpired(after, 100_000)
    t.equal((await adapter.getUserVersion(user.id))?.version, 1000, 'that of an existing user stays')
    await adapter.deleteUser(user.id)
    t.equal((await adapter.getUserVersion(user.id))?.version, 1000, 'that of a deleted one stays')
    await adapter.deleteExpired(until, 100_000)
    t.equal((await adapter.getUserVersion(user.id))?.version, 1000, 'until its end')
    await adapter.deleteExpired(after, 100_000)
    isNone(t, await adapter.getUserVersion(user.id), 'and is deleted then')
    t.equal((await adapter.getUserVersion(left.id))?.version, 1000, 'alone')
  })
]

/** What a transaction requires of a user. */
export const userVersionTransactions: readonly Case[] = [
  its('transact', 'requires a version, of a missing row 0', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const signIn = async (version: number) => {
      const session = newSession(user.id)
      const isDone = await adapter.transact([
        { method: 'requireUserVersion', args: [user.id, version] },
        { method: 'createSession', args: [session] }
      ])
      const found = await adapter.getSessionAndUser(session.sessionToken)
      t.equal(Boolean(found), isDone, 'the session is there if it is done')
      return isDone
    }
    t.equal(await signIn(5), false, 'a missing row has no other version')
    isNone(t, await adapter.getUserVersion(user.id), 'nothing is left of it')
    t.equal(await signIn(0), true, 'but 0')
    t.equal(await signIn(0), true, 'as often as one likes')
    t.equal(await adapter.advanceUser(newAdvance(user.id)), true, 'the row still has version 0')
    t.equal(await signIn(0), false, 'an earlier version is refused')
    t.equal(await signIn(1000), true, 'the present one is not')
    t.equal(await signIn(1001), false, 'nor is a later one accepted')
  }),

  its('transact', 'changes the row with everything else, or not at all', async (t, adapter) => {
    if (!has(adapter, 'deleteSessions')) return
    const { user, session } = await createPerson(adapter)
    const [own, advance] = [newSession(user.id), newAdvance(user.id, { raises: true })]
    const calls: readonly AdapterCall[] = [
      { method: 'advanceUser', args: [advance] },
      { method: 'deleteSessions', args: [user.id] },
      { method: 'createSession', args: [own] }
    ]
    const absent: AdapterCall = { method: 'deleteSession', args: [`h1.${randomUUID()}`], isRequired: true }
    t.equal(await adapter.transact([...calls, absent]), false, 'the transaction is rolled back')
    isNone(t, await adapter.getUserVersion(user.id), 'no row')
    if (has(adapter, 'getRevocations'))
      t.same(await adapter.getRevocations([`user:${user.id}`]), [], 'nothing is revoked')
    t.ok(await adapter.getSessionAndUser(session.sessionToken), 'the session is left')
    t.equal(await adapter.transact(calls), true, 'without the last call it is made')
    isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'the session has ended')
    t.ok(await adapter.getSessionAndUser(own.sessionToken), 'the new one exists')
    t.equal(await adapter.transact(calls), false, 'a second time the version is another one')
  }),

  its('transact', 'replaces the record of a session and revokes the former one', async (t, adapter) => {
    if (!has(adapter, 'getRevocations', 'getSessionRecords', 'putSessionRecord')) return
    const { user } = await createPerson(adapter)
    const [former, next] = [newRecord(user.id), newRecord(user.id)]
    await adapter.putSessionRecord(former)
    const calls: readonly AdapterCall[] = [
      { method: 'revoke', args: [`session:${former.id}`, inAnHour()] },
      { method: 'deleteSessionRecord', args: [former.id] },
      { method: 'putSessionRecord', args: [next] }
    ]
    const refused: AdapterCall = { method: 'requireAddress', args: [user.id, 'another@example.com'] }
    const ids = async () => (await adapter.getSessionRecords({ userId: user.id })).map(({ id }) => id)
    t.equal(await adapter.transact([...calls, refused]), false, 'the transaction is rolled back')
    t.same(await ids(), [former.id], 'the record is left')
    t.same(await adapter.getRevocations([`session:${former.id}`]), [], 'and not revoked')
    t.equal(await adapter.transact(calls), true, 'without the last call it is made')
    t.same(await ids(), [next.id], 'the record is replaced')
    t.equal((await adapter.getRevocations([`session:${former.id}`])).length, 1, 'and revoked')
  }),

  its('transact', 'requires the address of a user', async (t, adapter) => {
    if (!has(adapter, 'requireAddress')) return
    const { email, id } = await adapter.createUser(newUser())
    const nameless = await adapter.createUser(newUser({ email: null }))
    const isRequired = (userId: string, address: string | null) =>
      adapter.transact([
        { method: 'requireAddress', args: [userId, address] },
        { method: 'updateUser', args: [{ id, name: 'Countess' }] }
      ])
    for (const other of ['another@example.com', email?.toUpperCase() ?? '', null])
      t.equal(await isRequired(id, other), false, `not ${other}`)
    t.equal(await isRequired(nameless.id, ''), false, 'a user without an address')
    t.equal(await isRequired(randomUUID(), null), false, 'nor one who does not exist')
    t.equal((await adapter.getUser(id))?.name, newUser().name, 'nothing is written')
    t.equal(await isRequired(nameless.id, null), true, 'a user without an address has none')
    t.equal(await isRequired(id, email), true, 'the exact address')
  })
]

/** Concurrent calls on the row of one user. */
export const userVersionRaces: readonly Case[] = [
  ...(['a missing row', 'an existing row'] as const).map((state) =>
    its('advanceUser', `of many changes of ${state}, one is made`, async (t, adapter, { callers }) => {
      const userId = randomUUID()
      const expected = state === 'a missing row' ? 0 : 1000
      if (expected > 0) await adapter.advanceUser(newAdvance(userId))
      const changes = Array.from({ length: callers }, (_, i) => newAdvance(userId, { expected, version: 2000 + i }))
      const { winners, losers } = await race(callers, (caller) =>
        adapter.advanceUser(changes[caller] ?? newAdvance(userId))
      )
      t.equal(losers, 0, 'no call fails')
      const made = changes.filter((_, caller) => winners[caller])
      t.equal(made.length, 1, 'one is made')
      t.equal((await adapter.getUserVersion(userId))?.changeId, made[0]?.changeId, 'which the row names')
    })
  ),

  its('advanceUser', 'many changes without an expectation are all made', async (t, adapter, { callers }) => {
    const userId = randomUUID()
    const { winners, losers } = await race(callers, () =>
      adapter.advanceUser(newAdvance(userId, { expected: null, raises: true }))
    )
    t.equal(losers, 0, 'no call fails')
    t.equal(winners.filter((isMade) => isMade).length, callers, 'each is made')
    t.equal((await adapter.getUserVersion(userId))?.version, 999 + callers, 'and each has a version of its own')
  }),

  its('transact', 'many who require one version do not stop each other', async (t, adapter, { callers }) => {
    if (!has(adapter, 'listSessions')) return
    const { id } = await adapter.createUser(newUser())
    const { winners, losers } = await race(callers, () =>
      adapter.transact([
        { method: 'requireUserVersion', args: [id, 0] },
        { method: 'createSession', args: [newSession(id)] }
      ])
    )
    t.equal(losers, 0, 'no call fails')
    t.equal(winners.filter((isDone) => isDone).length, callers, 'each is committed')
    t.equal((await adapter.listSessions(id)).length, callers, 'with its session')
  }),

  its('transact', 'no session outlives a change that ends them all', async (t, adapter, { callers }) => {
    if (!has(adapter, 'listSessions', 'deleteSessions')) return
    for (const expected of [0, 1000]) {
      const { id } = await adapter.createUser(newUser())
      if (expected > 0) await adapter.transact([{ method: 'advanceUser', args: [newAdvance(id)] }])
      const end = newAdvance(id, { expected, version: 2000, raises: true })
      const signIn = (): readonly AdapterCall[] => [
        { method: 'requireUserVersion', args: [id, expected] },
        { method: 'createSession', args: [newSession(id)] }
      ]
      const endAll = (caller: number): readonly AdapterCall[] => [
        { method: 'advanceUser', args: [{ ...end, changeId: `${end.changeId}-${caller}` }] },
        { method: 'deleteSessions', args: [id] }
      ]
      const { winners, losers } = await race(callers, (caller) =>
        adapter.transact(caller % 5 === 3 ? endAll(caller) : signIn())
      )
      t.equal(losers, 0, 'no call fails')
      const made = winners.filter((isDone, caller) => isDone && caller % 5 === 3).length
      // Without a row, each of them may have met the row that a sign-in was creating: such a change begins again.
      if (expected === 0 && made === 0) t.equal(await adapter.transact(endAll(callers)), true, 'a change is made')
      else t.equal(made, 1, 'one change is made')
      t.same(await adapter.listSessions(id), [], 'and no session is left')
    }
  })
]
