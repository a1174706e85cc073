import { randomUUID } from 'node:crypto'
import type { AdapterCall, VerificationToken } from '@postern/core'
import { type Case, has, itsOptional } from './case.ts'
import {
  createPerson,
  isDuplicate,
  isNone,
  newAccount,
  newRecord,
  newSession,
  newTicket,
  newToken,
  newUser,
  race
} from './data.ts'

/** A first sign-in with a mailed link: it consumes a one-time token, and creates a user, an account and a session. */
function newSignIn() {
  const [id, token, account] = [randomUUID(), newToken(), newAccount()]
  const [user, session] = [newUser({ id }), newSession(id)]
  const record = newRecord(id, { sessionToken: session.sessionToken })
  const calls: readonly AdapterCall[] = [
    { method: 'useVerificationToken', args: [token] },
    { method: 'createUser', args: [user] },
    { method: 'linkAccount', args: [{ ...account, userId: id }] },
    { method: 'createSession', args: [session, record] }
  ]
  return { id, token, user, account, session, record, calls }
}

/** Several calls in one transaction. */
export const batches: readonly Case[] = [
  itsOptional('transact', 'makes all calls', async (t, adapter) => {
    const { id, token, user, account, session, record, calls } = newSignIn()
    await adapter.createVerificationToken(token)
    t.equal(await adapter.transact(calls), true, 'returns true')
    t.equal((await adapter.getUserByEmail(user.email ?? ''))?.id, id, 'the user has the id that was given')
    t.equal((await adapter.getUserByAccount(account))?.id, id, 'the account')
    t.equal((await adapter.getSessionAndUser(session.sessionToken))?.user.id, id, 'the session')
    isNone(t, await adapter.useVerificationToken(token), 'the token is used up')
    if (has(adapter, 'getSessionRecords'))
      t.equal((await adapter.getSessionRecords({ id: record.id })).length, 1, 'the record of the session')
  }),

  itsOptional('transact', 'makes calls that change and delete', async (t, adapter) => {
    const { user, account, session } = await createPerson(adapter)
    const [other, next] = [newSession(user.id), newAccount({ provider: 'gitlab' })]
    await adapter.createSession(other)
    const done = await adapter.transact([
      { method: 'updateUser', args: [{ id: user.id, name: 'Countess' }] },
      { method: 'linkAccount', args: [{ ...next, userId: user.id }] },
      { method: 'updateAccount', args: [{ ...next, access_token: 'access' }] },
      { method: 'unlinkAccount', args: [account] },
      { method: 'deleteSession', args: [session.sessionToken] }
    ])
    t.equal(done, true, 'returns true')
    t.equal((await adapter.getUserByAccount(next))?.name, 'Countess', 'user and account are changed')
    isNone(t, await adapter.getUserByAccount(account), 'the other account no longer exists')
    isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'a session no longer exists')
    t.equal(await adapter.transact([{ method: 'deleteSessions', args: [user.id] }]), true, 'a batch of one')
    isNone(t, await adapter.getSessionAndUser(other.sessionToken), 'all no longer exist')
    t.equal(await adapter.transact([]), true, 'no operations succeed')
  }),

  itsOptional('transact', 'deletes a user with everything else, or not at all', async (t, adapter) => {
    if (!has(adapter, 'createTicket', 'readTicket', 'consumeTicket')) return
    const [{ user, account, session }, ticket] = [await createPerson(adapter), newTicket()]
    const own = newTicket({ userId: user.id })
    await adapter.createTicket(own)
    const calls: readonly AdapterCall[] = [
      { method: 'deleteUser', args: [user.id] },
      { method: 'consumeTicket', args: [ticket] }
    ]
    t.equal(await adapter.transact(calls), false, 'without the ticket, nothing happens')
    t.ok(await adapter.getUserByAccount(account), 'the user and the account are left')
    t.ok(await adapter.getSessionAndUser(session.sessionToken), 'so is the session')
    t.ok(await adapter.readTicket(own), 'and what the user has')
    await adapter.createTicket(ticket)
    t.equal(await adapter.transact(calls), true, 'with the ticket, the user is deleted')
    isNone(t, await adapter.getUser(user.id), 'the user')
    isNone(t, await adapter.getUserByAccount(account), 'the account')
    isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'the session')
    isNone(t, await adapter.readTicket(own), 'what the user had')
  }),

  itsOptional('transact', 'rolls back the first if a key of the last is taken', async (t, adapter) => {
    const taken = await createPerson(adapter)
    const { id, token, user, account, session, calls } = newSignIn()
    await adapter.createVerificationToken(token)
    const { sessionToken } = taken.session
    const batch: readonly AdapterCall[] = [
      { method: 'updateUser', args: [{ id: taken.user.id, name: 'Eve' }] },
      { method: 'deleteSessions', args: [taken.user.id, sessionToken] },
      ...calls.slice(0, 3),
      { method: 'createSession', args: [{ ...session, sessionToken }] }
    ]
    await isDuplicate(t, () => adapter.transact(batch), 'an existing key throws a DuplicateError')
    isNone(t, await adapter.getUser(id), 'no user')
    isNone(t, await adapter.getUserByEmail(user.email ?? ''), 'no user has the address')
    isNone(t, await adapter.getUserByAccount(account), 'no account')
    const found = await adapter.getSessionAndUser(sessionToken)
    t.equal(found?.user.id, taken.user.id, 'the session still belongs to its user')
    t.equal((await adapter.getUser(taken.user.id))?.name, taken.user.name, 'and so does the name')
    t.equal(await adapter.transact(calls), true, 'the token was not used up')
  }),

  itsOptional('transact', 'reports that an address or an account is taken', async (t, adapter) => {
    const taken = await createPerson(adapter)
    for (const title of ['address', 'account'] as const) {
      const { id, token, account, session } = newSignIn()
      await adapter.createVerificationToken(token)
      const key = title === 'account' ? taken.account : account
      const email = title === 'address' ? taken.user.email : newUser().email
      const batch: readonly AdapterCall[] = [
        { method: 'useVerificationToken', args: [token] },
        { method: 'createUser', args: [newUser({ id, email })] },
        { method: 'linkAccount', args: [{ ...key, userId: id }] },
        { method: 'createSession', args: [session] }
      ]
      await isDuplicate(t, () => adapter.transact(batch), `an existing ${title} throws a DuplicateError`)
      isNone(t, await adapter.getUser(id), 'no user')
      isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'no session')
      t.ok(await adapter.useVerificationToken(token), 'the token can still be used')
    }
    t.equal((await adapter.getUserByAccount(taken.account))?.id, taken.user.id, 'the owner remains')
  }),

  itsOptional('transact', 'does nothing if a one-time token is not there', async (t, adapter) => {
    for (const location of ['first', 'last'] as const) {
      const { id, user, account, session, calls } = newSignIn()
      const batch = location === 'first' ? calls : [...calls.slice(1), ...calls.slice(0, 1)]
      t.equal(await adapter.transact(batch), false, `returns false for the ${location} call`)
      isNone(t, await adapter.getUser(id), 'no user')
      isNone(t, await adapter.getUserByEmail(user.email ?? ''), 'no user has the address')
      isNone(t, await adapter.getUserByAccount(account), 'no account')
      isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'no session')
    }
  }),

  itsOptional('transact', 'leaves a token where another is not there', async (t, adapter) => {
    const [there, absent] = [newToken(), newToken()]
    await adapter.createVerificationToken(there)
    const use = (token: VerificationToken): AdapterCall => ({ method: 'useVerificationToken', args: [token] })
    t.equal(await adapter.transact([use(there), use(absent)]), false, 'returns false')
    t.ok(await adapter.useVerificationToken(there), 'it was not used up')
  }),

  itsOptional('transact', 'of many who use one token, one signs in', async (t, adapter, { callers }) => {
    const token = newToken()
    await adapter.createVerificationToken(token)
    const people = Array.from({ length: callers }, () => newSignIn())
    const { winners, losers } = await race(callers, (caller) =>
      adapter.transact([{ method: 'useVerificationToken', args: [token] }, ...(people[caller]?.calls.slice(1) ?? [])])
    )
    t.equal(losers, 0, 'no call is refused')
    t.equal(winners.filter((isDone) => isDone).length, 1, 'exactly one returns true')
    const users = await Promise.all(people.map(async ({ id }) => adapter.getUser(id)))
    const sessions = await Promise.all(
      people.map(async ({ session }) => adapter.getSessionAndUser(session.sessionToken))
    )
    t.equal(users.filter((user) => user).length, 1, 'one user')
    t.equal(sessions.filter((session) => session).length, 1, 'one session')
  }),

  itsOptional('transact', 'of many first sign-ins of one person, one succeeds', async (t, adapter, { callers }) => {
    const person = newSignIn()
    const { winners, losers } = await race(callers, () => adapter.transact(person.calls.slice(1)))
    t.equal(winners.length, 1, 'one winner')
    t.equal(losers, callers - 1, 'the others are refused')
    t.equal((await adapter.getSessionAndUser(person.session.sessionToken))?.user.id, person.id, 'who is signed in')
  })
]
