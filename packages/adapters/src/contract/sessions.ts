import { randomUUID } from 'node:crypto'
import { type Case, it, itsOptional } from './case.ts'
import { createPerson, hasFields, isNone, isRefused, newSession, newUser } from './data.ts'

/** Sessions and their users. */
export const sessions: readonly Case[] = [
  it('a session is found with its user', async (t, adapter) => {
    const user = await adapter.createUser(newUser())
    const session = newSession(user.id)
    const created = await adapter.createSession(session)
    t.equal(created.sessionToken, session.sessionToken, 'the token is answered')
    const found = await adapter.getSessionAndUser(session.sessionToken)
    hasFields(t, found?.session, session)
    hasFields(t, found?.user, { id: user.id, email: user.email, emailVerified: null })
  }),

  it('a token that no one has finds nothing', async (t, adapter) => {
    const { session } = await createPerson(adapter)
    const { sessionToken } = session
    for (const other of [randomUUID(), '', '%', `${sessionToken}x`, sessionToken.slice(0, -1)]) {
      isNone(t, await adapter.getSessionAndUser(other), `no session ${JSON.stringify(other)}`)
    }
  }),

  it('each session is found with its own user', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    t.equal((await adapter.getSessionAndUser(ada.session.sessionToken))?.user.id, ada.user.id, 'the first')
    t.equal((await adapter.getSessionAndUser(bob.session.sessionToken))?.user.id, bob.user.id, 'the second')
  }),

  it('a session that has ended is returned too', async (t, adapter) => {
    const { id } = await adapter.createUser(newUser())
    const session = newSession(id, { expires: new Date(Date.now() - 60_000) })
    await adapter.createSession(session)
    const found = await adapter.getSessionAndUser(session.sessionToken)
    t.equal(found?.session.expires.getTime(), session.expires.getTime(), 'it is for the caller to check')
  }),

  it('a token names one session', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await adapter.createUser(newUser())]
    const again = newSession(bob.id, { sessionToken: ada.session.sessionToken })
    await isRefused(t, () => adapter.createSession(again), 'a second one is refused')
    t.equal((await adapter.getSessionAndUser(ada.session.sessionToken))?.user.id, ada.user.id, 'the first remains')
  }),

  it('updating moves the end of that session only', async (t, adapter) => {
    const { user, session } = await createPerson(adapter)
    const other = newSession(user.id)
    await adapter.createSession(other)
    const expires = new Date(session.expires.getTime() + 86_400_123)
    await adapter.updateSession({ sessionToken: session.sessionToken, expires })
    const found = await adapter.getSessionAndUser(session.sessionToken)
    t.equal(found?.session.expires.getTime(), expires.getTime(), 'moved')
    t.equal(found?.user.id, user.id, 'it still belongs to its user')
    const untouched = await adapter.getSessionAndUser(other.sessionToken)
    t.equal(untouched?.session.expires.getTime(), other.expires.getTime(), 'another session is unchanged')
  }),

  it('updating a session that has ended creates none', async (t, adapter) => {
    const { user, session } = await createPerson(adapter)
    await adapter.deleteSession(session.sessionToken)
    await Promise.allSettled([Promise.resolve().then(() => adapter.updateSession(newSession(user.id, session)))])
    isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'it stays over')
  }),

  it('deleting ends that session only, and may be repeated', async (t, adapter) => {
    const { user, session } = await createPerson(adapter)
    const other = newSession(user.id)
    await adapter.createSession(other)
    await adapter.deleteSession(session.sessionToken)
    await adapter.deleteSession(session.sessionToken)
    isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'ended')
    t.equal((await adapter.getSessionAndUser(other.sessionToken))?.user.id, user.id, 'another session remains valid')
    t.equal((await adapter.getUser(user.id))?.id, user.id, 'the user remains')
  }),

  itsOptional('listSessions', 'returns all sessions of that user', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const other = newSession(ada.user.id)
    await adapter.createSession(other)
    const found = await adapter.listSessions(ada.user.id)
    const tokens = found.map(({ sessionToken }) => sessionToken).sort()
    t.same(tokens, [ada.session.sessionToken, other.sessionToken].sort(), 'both, and no other user’s')
    const ends = found.find(({ sessionToken }) => sessionToken === other.sessionToken)?.expires
    t.equal(ends?.getTime(), other.expires.getTime(), 'with their end')
    t.equal((await adapter.listSessions(bob.user.id)).length, 1, 'another user has their own')
    t.equal((await adapter.listSessions(randomUUID())).length, 0, 'an unknown user has none')
  }),

  itsOptional('deleteSessions', 'ends all sessions of that user', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const other = newSession(ada.user.id)
    await adapter.createSession(other)
    await adapter.deleteSessions(ada.user.id)
    isNone(t, await adapter.getSessionAndUser(ada.session.sessionToken), 'the first')
    isNone(t, await adapter.getSessionAndUser(other.sessionToken), 'the second')
    t.ok(await adapter.getSessionAndUser(bob.session.sessionToken), 'another user’s session remains valid')
  }),

  itsOptional('deleteSessions', 'leaves the one that is excepted', async (t, adapter) => {
    const [ada, bob] = [await createPerson(adapter), await createPerson(adapter)]
    const other = newSession(ada.user.id)
    await adapter.createSession(other)
    await adapter.deleteSessions(ada.user.id, other.sessionToken)
    isNone(t, await adapter.getSessionAndUser(ada.session.sessionToken), 'ended')
    const found = await adapter.getSessionAndUser(other.sessionToken)
    t.equal(found?.user.id, ada.user.id, 'the excepted session remains valid')
    t.ok(await adapter.getSessionAndUser(bob.session.sessionToken), 'and so does another user’s session')
  })
]
