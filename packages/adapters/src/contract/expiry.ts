import { type Case, has, itsOptional } from './case.ts'
import { createPerson, isNone, newEvidence, newRecord, newSession, newTicket, newToken } from './data.ts'

/** Long before any other row in the store. */
const ended = new Date('1990-01-01T00:00:00.000Z')
const before = new Date('1990-01-01T00:00:00.001Z')

/** Expired rows are deleted. */
export const expiry: readonly Case[] = [
  itsOptional('deleteExpired', 'deletes expired rows, in batches', async (t, adapter, { expired }) => {
    const { user, session } = await createPerson(adapter)
    while ((await adapter.deleteExpired(before, 1000)) > 0);
    const sessions = Array.from({ length: 5 }, () => newSession(user.id, { expires: ended }))
    const tokens = Array.from({ length: 3 }, () => newToken({ expires: ended }))
    for (const one of sessions) await adapter.createSession(one)
    for (const one of tokens) await adapter.createVerificationToken(one)
    if (expired === 'deleted') {
      t.equal(await adapter.deleteExpired(before, 2), 4, 'two of each table')
      t.equal(await adapter.deleteExpired(before, 2), 3, 'two and the last')
      t.equal(await adapter.deleteExpired(before, 2), 1, 'the last')
      for (const { sessionToken } of sessions) isNone(t, await adapter.getSessionAndUser(sessionToken), 'a session')
      for (const token of tokens) isNone(t, await adapter.useVerificationToken(token), 'a one-time token')
    }
    t.equal(await adapter.deleteExpired(before, 2), 0, 'nothing is left')
    t.ok(await adapter.getSessionAndUser(session.sessionToken), 'what has not expired remains')
  }),

  itsOptional('deleteExpired', 'leaves what ends at that moment or later', async (t, adapter) => {
    const { user } = await createPerson(adapter)
    const [session, token] = [newSession(user.id, { expires: before }), newToken({ expires: before })]
    await adapter.createSession(session)
    await adapter.createVerificationToken(token)
    await adapter.deleteExpired(before, 1000)
    t.ok(await adapter.getSessionAndUser(session.sessionToken), 'a session')
    t.ok(await adapter.useVerificationToken(token), 'a one-time token')
    await adapter.deleteSession(session.sessionToken)
  }),

  itsOptional('deleteExpired', 'deletes records that have ended', async (t, adapter, { expired }) => {
    if (!has(adapter, 'putSessionRecord', 'getSessionRecords')) return
    const { user } = await createPerson(adapter)
    const [old, live] = [newRecord(user.id, { sessionToken: null, expires: ended }), newRecord(user.id)]
    await adapter.putSessionRecord(old)
    await adapter.putSessionRecord(live)
    const deleted = await adapter.deleteExpired(before, 1000)
    if (expired === 'deleted') {
      t.equal(deleted, 1, 'one')
      isNone(t, (await adapter.getSessionRecords({ id: old.id }))[0], 'it no longer exists')
    }
    t.equal((await adapter.getSessionRecords({ id: live.id })).length, 1, 'the other is left')
  }),

  itsOptional('deleteExpired', 'deletes revocations that have ended', async (t, adapter, { expired }) => {
    if (!has(adapter, 'revoke', 'getRevocations')) return
    const { user } = await createPerson(adapter)
    const [old, live] = [`session:${user.id}`, `user:${user.id}`]
    const first = await adapter.revoke(old, ended)
    await adapter.revoke(live, before)
    await adapter.deleteExpired(before, 1000)
    t.same(await adapter.getRevocations([old]), [], 'the one that has ended no longer exists')
    if (expired === 'deleted') t.equal((await adapter.getRevocations([live])).length, 1, 'the other is left')
    t.ok((await adapter.revoke(old, ended)) >= first, 'and the versions do not begin again')
    await adapter.deleteExpired(new Date(before.getTime() + 1), 1000)
  }),

  itsOptional('deleteExpired', 'deletes expired tickets, never evidence', async (t, adapter, { expired }) => {
    if (!has(adapter, 'createTicket', 'readTicket')) return
    const { user, account } = await createPerson(adapter)
    if (has(adapter, 'putAccountEvidence'))
      await adapter.putAccountEvidence(newEvidence(account, { verifiedAt: ended }))
    const old = Array.from({ length: 3 }, () => newTicket({ userId: user.id, expires: ended }))
    const live = newTicket({ userId: user.id, expires: before })
    for (const ticket of [...old, live]) await adapter.createTicket(ticket)
    if (expired === 'deleted') {
      t.equal(await adapter.deleteExpired(before, 2), 2, 'two at a time')
      t.equal(await adapter.deleteExpired(before, 2), 1, 'the last')
    } else while ((await adapter.deleteExpired(before, 2)) > 0);
    for (const ticket of old) isNone(t, await adapter.readTicket(ticket), 'the expired ticket is deleted')
    t.ok(await adapter.readTicket(live), 'a ticket that expires at that moment is left')
    if (has(adapter, 'getAccountEvidence'))
      t.equal((await adapter.getAccountEvidence(user.id)).length, 1, 'the evidence is left')
    await adapter.deleteUser(user.id)
  })
]
