import type { Coming } from '../drizzle/adapter-type.ts'
import { randomUUID } from 'node:crypto'
import type { AccountKey, Adapter, AdapterSession, VerificationToken } from '@postern/core'
import * as rows from '../drizzle/rows.ts'
import { DuplicateError } from '../duplicate-error.ts'
import { createLeases } from './leases.ts'
import { createTable, type Table } from './table.ts'

interface Store {
  readonly users: Table<rows.UserRow>
  readonly accounts: Table<rows.AccountRow>
  readonly sessions: Table<AdapterSession>
  readonly tokens: Table<VerificationToken>
}

/** Some of the methods. */
type Methods<K extends keyof Adapter> = Required<Pick<Adapter, K>>

/**
 * Keeps everything in this process until it ends: for tests, for trying things out, and for reading.
 *
 * Nobody outside can change what is stored: what goes in and what comes out are copies.
 */
export function memoryAdapter(): Omit<Required<Adapter>, Coming> {
  const store: Store = {
    users: createTable(({ id }) => id),
    accounts: createTable<rows.AccountRow>(accountKey),
    sessions: createTable(({ sessionToken }) => sessionToken),
    tokens: createTable<VerificationToken>(tokenKey)
  }
  return {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...tokenMethods(store),
    withLease: createLeases(),
    close: async () => undefined
  }
}

const accountKey = ({ provider, providerAccountId }: AccountKey): string =>
  JSON.stringify([provider, providerAccountId])

const tokenKey = ({ identifier, token }: { identifier: string; token: string }): string =>
  JSON.stringify([identifier, token])

function userMethods({
  users,
  accounts,
  sessions
}: Store): Methods<'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'> {
  return {
    createUser: async (user) => insertUser(users, rows.toUserRow(user, user.id || randomUUID())),
    getUser: async (id) => users.get(id),
    getUserByEmail: async (email) => users.filter((user) => user.email === email)[0] ?? null,
    getUserByAccount: async (key) => {
      const account = accounts.get(accountKey(key))
      return account && users.get(account.userId)
    },
    updateUser: async ({ id, ...changes }) => {
      const before = users.get(id)
      if (!before) throw new Error('memory: updateUser: expected the id of a user who exists')
      const row = { ...before, ...rows.toUserPatch(changes) }
      requireFreeEmail(users, row)
      return users.replace(row)
    },
    deleteUser: async (id) => {
      for (const session of sessions.filter(({ userId }) => userId === id)) sessions.take(session.sessionToken)
      for (const account of accounts.filter(({ userId }) => userId === id)) accounts.take(accountKey(account))
      return users.take(id)
    }
  }
}

function accountMethods({
  users,
  accounts
}: Store): Methods<'linkAccount' | 'unlinkAccount' | 'createUserWithAccount' | 'updateAccount' | 'getAccounts'> {
  return {
    linkAccount: async (account) => {
      requireUser(users, account.userId)
      return accounts.insert(rows.toAccountRow(account, account.userId))
    },
    unlinkAccount: async (key) => accounts.take(accountKey(key)),
    createUserWithAccount: async (user, account) => {
      const row = insertUser(users, rows.toUserRow(user, user.id || randomUUID()))
      try {
        accounts.insert(rows.toAccountRow(account, row.id))
        return row
      } catch (error) {
        users.take(row.id)
        throw error
      }
    },
    updateAccount: async ({ provider, providerAccountId, ...changes }) => {
      const before = accounts.get(accountKey({ provider, providerAccountId }))
      if (!before) return null
      const row = { ...before, ...rows.toAccountPatch(changes) }
      requireUser(users, row.userId)
      return accounts.replace(row)
    },
    getAccounts: async (userId) => accounts.filter((account) => account.userId === userId)
  }
}

function sessionMethods({
  users,
  sessions
}: Store): Methods<
  'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'listSessions' | 'deleteSessions'
> {
  return {
    createSession: async ({ sessionToken, userId, expires }) => {
      requireUser(users, userId)
      return sessions.insert({ sessionToken, userId, expires })
    },
    getSessionAndUser: async (sessionToken) => {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return session && user && { session, user }
    },
    updateSession: async ({ sessionToken, ...changes }) => {
      const before = sessions.get(sessionToken)
      if (!before) return null
      const row = { ...before, ...rows.toSessionPatch(changes) }
      requireUser(users, row.userId)
      return sessions.replace(row)
    },
    deleteSession: async (sessionToken) => sessions.take(sessionToken),
    listSessions: async (userId) => sessions.filter((session) => session.userId === userId),
    deleteSessions: async (userId, except) => {
      for (const session of sessions.filter((session) => session.userId === userId)) {
        if (session.sessionToken !== except) sessions.take(session.sessionToken)
      }
    }
  }
}

function tokenMethods({
  tokens
}: Store): Methods<'createVerificationToken' | 'getVerificationToken' | 'useVerificationToken'> {
  return {
    createVerificationToken: async ({ identifier, token, expires }) => tokens.insert({ identifier, token, expires }),
    getVerificationToken: async (pair) => tokens.get(tokenKey(pair)),
    useVerificationToken: async (pair) => tokens.take(tokenKey(pair))
  }
}

function insertUser(users: Table<rows.UserRow>, row: rows.UserRow): rows.UserRow {
  requireFreeEmail(users, row)
  return users.insert(row)
}

function requireFreeEmail(users: Table<rows.UserRow>, { id, email }: rows.UserRow): void {
  const isTaken = email !== null && users.filter((user) => user.email === email && user.id !== id).length > 0
  if (isTaken) throw new DuplicateError('memory: expected an address that no other user has')
}

function requireUser(users: Table<rows.UserRow>, id: string): void {
  if (!users.get(id)) throw new Error('memory: expected the id of a user who exists')
}
