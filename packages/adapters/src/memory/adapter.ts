import { randomUUID } from 'node:crypto'
import { type Adapter, exactLookup, isSameEmailAddress } from '@postern/core'
import { AmbiguousAddressError } from '../ambiguous-address-error.ts'
import { type AuthenticatorMethods, authenticatorMethods } from '../authenticators.ts'
import { performAllNow, performEach } from '../calls.ts'
import type { DeletionMethods, UserIdMethods, UserMethods } from '../methods.ts'
import * as rows from '../rows.ts'
import { encryptedRowMethods } from './encrypted-rows.ts'
import { eventMethods } from './events.ts'
import { factorMethods } from './factors.ts'
import { latest } from './latest.ts'
import { createLeases } from './leases.ts'
import { createOperations } from './operations.ts'
import { recordMethods } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { accountKey, createStore, requireUser, type Store, tokenKey, toVersion } from './store.ts'
import { undoable } from './table.ts'
import { accountEvidenceMethods, ticketMethods } from './tickets.ts'
import { userVersionMethods } from './versions.ts'

/** Some of the methods. */
type Methods<K extends keyof Adapter> = Required<Pick<Adapter, K>>

type Created = ReturnType<typeof createOperations>

/**
 * Stores everything in this process until it ends, for tests and experiments.
 *
 * Arguments and results are copied, so stored values cannot be changed from outside.
 */
export function memoryAdapter(): Required<Adapter> & AuthenticatorMethods {
  const store = createStore()
  const operations = createOperations(store)
  const adapter: Required<Adapter> = {
    ...performEach(operations, async (perform) => perform()),
    ...userMethods(store),
    ...userVersionMethods(store),
    ...accountMethods(store, operations),
    ...sessionMethods(store),
    ...tokenMethods(store),
    ...recordMethods(store),
    ...revocationMethods(store),
    ...accountEvidenceMethods(store),
    ...ticketMethods(store),
    ...factorMethods(store),
    ...eventMethods(store, operations),
    ...encryptedRowMethods(store),
    withLease: createLeases(),
    transact: async (calls) => undoable(store.journal, () => performAllNow(operations, calls)),
    deleteExpired: async (before, limit) =>
      store.sessions.drop(({ expires }) => expires < before, limit) +
      store.tokens.drop(({ expires }) => expires < before, limit) +
      store.records.drop(({ expires }) => expires < before, limit) +
      store.revocations.drop(({ until }) => until < before, limit) +
      store.tickets.drop(({ expires }) => expires < before, limit) +
      store.versions.drop(({ deleteAfter }) => deleteAfter !== null && deleteAfter < before, limit),
    close: async () => undefined
  }
  return { ...adapter, ...authenticatorMethods(adapter) }
}

/** The method that finds users by address; the tables are empty at the start. */
function createUserByEmail({ users }: Pick<Store, 'users'>): Pick<UserMethods, 'getUserByEmail' | 'findProblems'> {
  return {
    getUserByEmail: async (email) => {
      const [exact] = users.filter((user) => user.email === email)
      if (exact) return exact
      const [user = null, ...others] = users.filter((user) => isSameEmailAddress(user.email, email))
      if (user && others.length > 0) throw new AmbiguousAddressError('memory', [user, ...others])
      return user
    },
    findProblems: async () => []
  }
}

function userMethods({
  users,
  accounts,
  sessions,
  records,
  evidence,
  tickets,
  factors,
  events,
  versions
}: Store): Omit<UserMethods, 'createUser' | 'updateUser'> & DeletionMethods & UserIdMethods {
  const byEmail = createUserByEmail({ users })
  return {
    createUserId: async () => randomUUID(),
    getUser: async (id) => users.get(id),
    ...byEmail,
    getUserByAccount: exactLookup(async (key) => {
      const account = accounts.get(accountKey(key))
      return account && users.get(account.userId)
    }),
    findUserVersion: async (by) => {
      const account = 'account' in by ? accounts.get(accountKey(by.account)) : null
      const userId = 'userId' in by ? by.userId : account?.userId
      const user = 'email' in by ? await byEmail.getUserByEmail(by.email) : userId ? users.get(userId) : null
      if (!user) return null
      const row = versions.get(user.id)
      return { user, version: row && toVersion(row), ...(account ? { account } : {}) }
    },
    deleteUser: async (id) => {
      tickets.drop(({ userId }) => userId === id)
      for (const table of [records, sessions, evidence, accounts, factors]) table.drop(({ userId }) => userId === id)
      for (const event of events.filter(({ userId }) => userId === id))
        events.replace({ ...event, ...rows.withoutClient })
      const row = versions.get(id)
      if (row) versions.replace({ ...row, deleteAfter: row.until ?? new Date() })
      return users.take(id)
    },
    checkUserDeletion: async () => undefined,
    listUsers: async ({ after, limit }) =>
      users
        .filter(({ id }) => after === null || id > after)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit)
  }
}

function accountMethods(
  { users, accounts }: Store,
  { createUser }: Created
): Methods<'createUserWithAccount' | 'getAccounts'> {
  return {
    createUserWithAccount: async (user, account) => {
      const row = createUser({ ...user, id: user.id || randomUUID() })
      try {
        accounts.insert(rows.toAccountRow(account, row.id))
        return row
      } catch (error) {
        users.take(row.id)
        throw error
      }
    },
    getAccounts: async (userId) => accounts.filter((account) => account.userId === userId)
  }
}

function sessionMethods(store: Store): Methods<'getSessionAndUser' | 'updateSession' | 'listSessions'> {
  const { users, sessions } = store
  return {
    getSessionAndUser: async (sessionToken) => {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return session && user && { session, user }
    },
    updateSession: async ({ sessionToken, ...changes }) => {
      const before = sessions.get(sessionToken)
      if (!before) return null
      const row = { ...before, ...rows.toSessionPatch(changes) }
      requireUser(store, row.userId)
      return sessions.replace(row)
    },
    listSessions: async (userId, limit) => sessions.filter((session) => session.userId === userId, latest(limit))
  }
}

function tokenMethods({ tokens }: Store): Methods<'createVerificationToken' | 'getVerificationToken'> {
  return {
    createVerificationToken: async ({ identifier, token, expires }) => tokens.insert({ identifier, token, expires }),
    getVerificationToken: async (pair) => tokens.get(tokenKey(pair))
  }
}
