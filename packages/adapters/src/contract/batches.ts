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
  newToken,
  newUser,
  race
} from './data.ts'

/** A first sign-in by mail: a one-time token is used up, and a user, an account and a session begin. */
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
  itsOptional('atomically', 'makes all calls', async (t, adapter) => {
    const { id, token, user, account, session, record, calls } = newSignIn()
    await adapter.createVerificationToken(token)
    t.equal(await adapter.atomically(calls), true, 'it is told')
    t.equal((await adapter.getUserByEmail(user.email ?? ''))?.id, id, 'the user has the id that was given')
    t.equal((await adapter.getUserByAccount(account))?.id, id, 'the account')
    t.equal((await adapter.getSessionAndUser(session.sessionToken))?.user.id, id, 'the session')
    isNone(t, await adapter.useVerificationToken(token), 'the token is used up')
    if (has(adapter, 'getSessionRecords'))
      t.equal((await adapter.getSessionRecords({ id: record.id })).length, 1, 'the record of the session')
  }),

  itsOptional('atomically', 'makes calls that change and delete', async (t, adapter) => {
    const { user, account, session } = await createPerson(adapter)
    const [other, next] = [newSession(user.id), newAccount({ provider: 'gitlab' })]
    await adapter.createSession(other)
    const done = await adapter.atomically([
      { method: 'updateUser', args: [{ id: user.id, name: 'Countess' }] },
      { method: 'linkAccount', args: [{ ...next, userId: user.id }] },
      { method: 'updateAccount', args: [{ ...next, access_token: 'access' }] },
      { method: 'unlinkAccount', args: [account] },
      { method: 'deleteSession', args: [session.sessionToken] }
    ])
    t.equal(done, true, 'it is told')
    t.equal((await adapter.getUserByAccount(next))?.name, 'Countess', 'user and account are changed')
    isNone(t, await adapter.getUserByAccount(account), 'the other account is gone')
    isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'a session is gone')
    t.equal(await adapter.atomically([{ method: 'deleteSessions', args: [user.id] }]), true, 'a batch of one')
    isNone(t, await adapter.getSessionAndUser(other.sessionToken), 'all are gone')
    t.equal(await adapter.atomically([]), true, 'nothing to do is done')
  }),

  itsOptional('atomically', 'undoes the first where a key of the last is taken', async (t, adapter) => {
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
    await isDuplicate(t, () => adapter.atomically(batch), 'a taken key is told')
    isNone(t, await adapter.getUser(id), 'no user')
    isNone(t, await adapter.getUserByEmail(user.email ?? ''), 'nobody has the address')
    isNone(t, await adapter.getUserByAccount(account), 'no account')
    t.equal((await adapter.getSessionAndUser(sessionToken))?.user.id, taken.user.id, 'the session stays whose it was')
    t.equal((await adapter.getUser(taken.user.id))?.name, taken.user.name, 'and so does the name')
    t.equal(await adapter.atomically(calls), true, 'the token was not used up')
  }),

  itsOptional('atomically', 'tells of an address and of an account that are taken', async (t, adapter) => {
    const taken = await createPerson(adapter)
    for (const what of ['address', 'account'] as const) {
      const { id, token, account, session } = newSignIn()
      await adapter.createVerificationToken(token)
      const key = what === 'account' ? taken.account : account
      const email = what === 'address' ? taken.user.email : newUser().email
      const batch: readonly AdapterCall[] = [
        { method: 'useVerificationToken', args: [token] },
        { method: 'createUser', args: [newUser({ id, email })] },
        { method: 'linkAccount', args: [{ ...key, userId: id }] },
        { method: 'createSession', args: [session] }
      ]
      await isDuplicate(t, () => adapter.atomically(batch), `a taken ${what} is told`)
      isNone(t, await adapter.getUser(id), 'no user')
      isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'no session')
      t.ok(await adapter.useVerificationToken(token), 'the token can still be used')
    }
    t.equal((await adapter.getUserByAccount(taken.account))?.id, taken.user.id, 'the owner stays')
  }),

  itsOptional('atomically', 'does nothing where a one-time token is not there', async (t, adapter) => {
    for (const place of ['first', 'last'] as const) {
      const { id, user, account, session, calls } = newSignIn()
      const batch = place === 'first' ? calls : [...calls.slice(1), ...calls.slice(0, 1)]
      t.equal(await adapter.atomically(batch), false, `it is told, where it is the ${place} call`)
      isNone(t, await adapter.getUser(id), 'no user')
      isNone(t, await adapter.getUserByEmail(user.email ?? ''), 'nobody has the address')
      isNone(t, await adapter.getUserByAccount(account), 'no account')
      isNone(t, await adapter.getSessionAndUser(session.sessionToken), 'no session')
    }
  }),

  itsOptional('atomically', 'leaves a token where another is not there', async (t, adapter) => {
    const [there, absent] = [newToken(), newToken()]
    await adapter.createVerificationToken(there)
    const use = (token: VerificationToken): AdapterCall => ({ method: 'useVerificationToken', args: [token] })
    t.equal(await adapter.atomically([use(there), use(absent)]), false, 'it is told')
    t.ok(await adapter.useVerificationToken(there), 'it was not used up')
  }),

  itsOptional('atomically', 'of many who use one token, one signs in', async (t, adapter, { callers }) => {
    const token = newToken()
    await adapter.createVerificationToken(token)
    const people = Array.from({ length: callers }, () => newSignIn())
    const { winners, losers } = await race(callers, (caller) =>
      adapter.atomically([{ method: 'useVerificationToken', args: [token] }, ...(people[caller]?.calls.slice(1) ?? [])])
    )
    t.equal(losers, 0, 'nobody is refused')
    t.equal(winners.filter((isDone) => isDone).length, 1, 'one is told so')
    const users = await Promise.all(people.map(async ({ id }) => adapter.getUser(id)))
    const sessions = await Promise.all(
      people.map(async ({ session }) => adapter.getSessionAndUser(session.sessionToken))
    )
    t.equal(users.filter((user) => user).length, 1, 'one user')
    t.equal(sessions.filter((session) => session).length, 1, 'one session')
  }),

  itsOptional('atomically', 'of many first sign-ins of one person, one succeeds', async (t, adapter, { callers }) => {
    const person = newSignIn()
    const { winners, losers } = await race(callers, () => adapter.atomically(person.calls.slice(1)))
    t.equal(winners.length, 1, 'one winner')
    t.equal(losers, callers - 1, 'the others are refused')
    t.equal((await adapter.getSessionAndUser(person.session.sessionToken))?.user.id, person.id, 'who is signed in')
  })
]
