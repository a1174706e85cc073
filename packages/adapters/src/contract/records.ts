import { randomUUID } from 'node:crypto'
import { type Case, has, itsOptional } from './case.ts'
import { createPerson, hasFields, isNone, isRefused, newRecord, newSession, newUser } from './data.ts'

/** Session records. */
export const records: readonly Case[] = [
  itsOptional('getSessionRecords', 'a session is created with its record', async (t, adapter) => {
    const { id: userId } = await adapter.createUser(newUser())
    const session = newSession(userId)
    const record = newRecord(userId, { sessionToken: session.sessionToken })
    const created = await adapter.createSession(session, record)
    t.equal(created.sessionToken, session.sessionToken, 'the session is answered')
    t.equal((await adapter.getSessionAndUser(session.sessionToken))?.user.id, userId, 'the session is there')
    const found = await adapter.getSessionRecords({ id: record.id })
    t.equal(found.length, 1, 'one record')
    hasFields(t, found[0], record)
  }),

  itsOptional('getSessionRecords', 'a session may have none', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    t.equal((await adapter.getSessionRecords({ userId: user.id })).length, 0, 'no record')
  }),

  itsOptional('getSessionRecords', 'a session that is refused leaves no record', async (t, adapter) => {
    const { user, session } = await createPerson(adapter)
    const record = newRecord(user.id, { sessionToken: session.sessionToken })
    await isRefused(t, () => adapter.createSession(newSession(user.id, session), record), 'the token is taken')
    t.equal((await adapter.getSessionRecords({ userId: user.id })).length, 0, 'no record')
  }),

  itsOptional('putSessionRecord', 'writes a record, and replaces it', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const record = newRecord(user.id, { sessionToken: null })
    await adapter.putSessionRecord(record)
    const next = newRecord(user.id, {
      ...record,
      userAgent: null,
      address: '2001:db8::1',
      provider: null,
      providerSessionId: null,
      data: null,
      lastSeen: new Date(record.lastSeen.getTime() + 1),
      expires: new Date(record.expires.getTime() + 1)
    })
    await adapter.putSessionRecord(next)
    // A call is repeated when its answer was lost.
    await adapter.putSessionRecord(next)
    if (!has(adapter, 'getSessionRecords')) return
    const found = await adapter.getSessionRecords({ userId: user.id })
    t.equal(found.length, 1, 'one record')
    hasFields(t, found[0], next)
    const { provider, providerSessionId } = record
    if (provider === null || providerSessionId === null) return
    const former = await adapter.getSessionRecords({ provider, providerSessionId })
    t.equal(former.length, 0, 'not found by its previous value')
  }),

  itsOptional('putSessionRecord', 'a record that was put later ends with its session', async (t, adapter) => {
    const { user, session } = await createPerson(adapter)
    await adapter.putSessionRecord(newRecord(user.id, { sessionToken: session.sessionToken }))
    await adapter.deleteSession(session.sessionToken)
    if (has(adapter, 'getSessionRecords'))
      t.equal((await adapter.getSessionRecords({ userId: user.id })).length, 0, 'gone')
  }),

  itsOptional('putSessionRecord', 'many who write one record leave one', async (t, adapter, { callers }) => {
    const { user } = await createPerson(adapter)
    const record = newRecord(user.id, { sessionToken: null })
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) =>
        adapter.putSessionRecord({ ...record, address: `${caller}` })
      )
    )
    if (has(adapter, 'getSessionRecords'))
      t.equal((await adapter.getSessionRecords({ userId: user.id })).length, 1, 'one record')
  }),

  itsOptional(
    'getSessionRecords',
    'finds those of a user, of an id, and of a provider’s session',
    async (t, adapter) => {
      const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
      const sid = randomUUID()
      const sessions = [ada, ada, bob].map(({ id }) => newSession(id))
      const [one, two, three] = sessions.map(({ userId, sessionToken }, i) =>
        newRecord(userId, { sessionToken, provider: i === 1 ? 'gitlab' : 'keycloak', providerSessionId: sid })
      )
      for (const [i, record] of [one, two, three].entries()) {
        const session = sessions[i]
        if (session) await adapter.createSession(session, record)
      }
      const find = async (query: Parameters<typeof adapter.getSessionRecords>[0]): Promise<readonly string[]> =>
        (await adapter.getSessionRecords(query)).map(({ id }) => id).sort()
      t.same(await find({ userId: ada.id }), [one?.id, two?.id].sort(), 'of a user')
      t.same(await find({ id: two?.id ?? '' }), [two?.id], 'of an id')
      t.same(await find({ provider: 'keycloak', providerSessionId: sid }), [one?.id, three?.id].sort(), 'of a provider')
      t.same(await find({ provider: 'keycloak', providerSessionId: sid.toUpperCase() }), [], 'not of a twin')
      t.same(await find({ provider: sid, providerSessionId: 'keycloak' }), [], 'not of the members swapped')
      t.same(await find({ userId: randomUUID() }), [], 'an unknown user has none')
      t.same(await find({ id: randomUUID() }), [], 'nor by an unknown id')
    }
  ),

  itsOptional('deleteSessionRecord', 'takes away that record only, and may be repeated', async (t, adapter) => {
    const { id: userId } = await adapter.createUser(newUser())
    const session = newSession(userId)
    const [record, other] = [newRecord(userId, { sessionToken: session.sessionToken }), newRecord(userId)]
    await adapter.createSession(session, record)
    if (has(adapter, 'putSessionRecord')) await adapter.putSessionRecord(other)
    await adapter.deleteSessionRecord(record.id)
    await adapter.deleteSessionRecord(record.id)
    t.ok(await adapter.getSessionAndUser(session.sessionToken), 'the session remains valid')
    if (!has(adapter, 'getSessionRecords', 'putSessionRecord')) return
    const left = (await adapter.getSessionRecords({ userId })).map(({ id }) => id)
    t.same(left, [other.id], 'the other record is left')
  })
]

/** Records are deleted with their session or user. */
export const recordEnds: readonly Case[] = [
  itsOptional('getSessionRecords', 'a session that is deleted takes its record along', async (t, adapter) => {
    const { id: userId } = await adapter.createUser(newUser())
    const sessions = [newSession(userId), newSession(userId)]
    const ids = new Map<string, string>()
    for (const session of sessions) {
      const record = newRecord(userId, { sessionToken: session.sessionToken })
      ids.set(session.sessionToken, record.id)
      await adapter.createSession(session, record)
    }
    const [first, second] = sessions.map(({ sessionToken }) => sessionToken)
    await adapter.deleteSession(first ?? '')
    const left = (await adapter.getSessionRecords({ userId })).map(({ id }) => id)
    t.same(left, [ids.get(second ?? '')], 'the record of the other is left')
    t.same(await adapter.getSessionRecords({ id: ids.get(first ?? '') ?? '' }), [], 'not found by its id')
  }),

  itsOptional('getSessionRecords', 'sessions that are deleted take their records along', async (t, adapter) => {
    if (!has(adapter, 'deleteSessions', 'putSessionRecord')) return
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const sessions = [ada, ada, bob].map(({ id }) => newSession(id))
    for (const session of sessions) {
      await adapter.createSession(session, newRecord(session.userId, { sessionToken: session.sessionToken }))
    }
    await adapter.putSessionRecord(newRecord(ada.id, { sessionToken: null }))
    const stored = sessions[0]?.sessionToken ?? ''
    const tokens = async (): Promise<readonly (string | null)[]> =>
      (await adapter.getSessionRecords({ userId: ada.id })).map(({ sessionToken }) => sessionToken)
    await adapter.deleteSessions(ada.id, stored)
    t.same(new Set(await tokens()), new Set([stored, null]), 'the records of the excepted and of JWT sessions are left')
    t.equal((await adapter.getSessionRecords({ userId: bob.id })).length, 1, 'and another user’s')
    await adapter.deleteSessions(ada.id)
    t.same(await tokens(), [null], 'only the record of the JWT session is left')
    t.equal((await adapter.getSessionRecords({ userId: bob.id })).length, 1, 'and another user’s')
  }),

  itsOptional('getSessionRecords', 'deleting a user deletes their records', async (t, adapter) => {
    const [ada, bob] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
    const sid = randomUUID()
    for (const { id } of [ada, bob]) {
      const session = newSession(id)
      await adapter.createSession(
        session,
        newRecord(id, { sessionToken: session.sessionToken, provider: 'keycloak', providerSessionId: sid })
      )
    }
    const lone = newRecord(ada.id, { sessionToken: null })
    if (has(adapter, 'putSessionRecord')) await adapter.putSessionRecord(lone)
    await adapter.deleteUser(ada.id)
    t.equal((await adapter.getSessionRecords({ userId: ada.id })).length, 0, 'none is left')
    isNone(t, (await adapter.getSessionRecords({ id: lone.id }))[0], 'nor one without a session')
    const left = await adapter.getSessionRecords({ provider: 'keycloak', providerSessionId: sid })
    const owners = left.map(({ userId }) => userId)
    t.same(owners, [bob.id], 'another user’s is left')
  })
]
