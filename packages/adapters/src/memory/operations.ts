import { randomUUID } from 'node:crypto'
import type { Account, AdapterSession, NewUser, VerificationToken } from '@postern/core'
import type { CallMethods } from '../calls.ts'
import * as rows from '../rows.ts'
import { accountKey, requireFreeEmail, requireOwnSession, requireUser, type Store, tokenKey } from './store.ts'

/** What may be part of a batch: each is done when it returns. */
export function createOperations(store: Store) {
  return { ...userOperations(store), ...accountOperations(store), ...sessionOperations(store) } satisfies CallMethods
}

function userOperations(store: Store) {
  const { users } = store
  return {
    createUser: (user: NewUser): rows.UserRow => {
      const row = rows.toUserRow(user, user.id || randomUUID())
      requireFreeEmail(store, row)
      return users.insert(row)
    },
    updateUser: ({ id, ...changes }: Parameters<CallMethods['updateUser']>[0]): rows.UserRow => {
      const before = users.get(id)
      if (!before) throw new Error('memory: updateUser: expected the id of a user who exists')
      const row = { ...before, ...rows.toUserPatch(changes) }
      requireFreeEmail(store, row)
      return users.replace(row)
    }
  }
}

function accountOperations(store: Store) {
  const { accounts } = store
  return {
    linkAccount: (account: Account & { userId: string }): rows.AccountRow => {
      requireUser(store, account.userId)
      return accounts.insert(rows.toAccountRow(account, account.userId))
    },
    unlinkAccount: (key: Parameters<CallMethods['unlinkAccount']>[0]): rows.AccountRow | null =>
      accounts.take(accountKey(key)),
    updateAccount: (
      ...[{ provider, providerAccountId, ...changes }, expected]: Parameters<CallMethods['updateAccount']>
    ): rows.AccountRow | null | false => {
      const before = accounts.get(accountKey({ provider, providerAccountId }))
      if (expected && before?.refresh_token !== (expected.refresh_token ?? null)) return false
      if (!before) return null
      const row = { ...before, ...rows.toAccountPatch(changes) }
      requireUser(store, row.userId)
      return accounts.replace(row)
    }
  }
}

function sessionOperations(store: Store) {
  const { sessions, records, tokens } = store
  return {
    createSession: (...[session, record]: Parameters<CallMethods['createSession']>): AdapterSession => {
      const { sessionToken, userId, expires } = session
      requireUser(store, userId)
      if (record) requireOwnSession(store, record)
      const created = sessions.insert({ sessionToken, userId, expires })
      if (record) records.replace(rows.toRecordRow(record))
      return created
    },
    deleteSession: (sessionToken: string): AdapterSession | null => {
      records.drop((record) => record.sessionToken === sessionToken)
      return sessions.take(sessionToken)
    },
    deleteSessions: (userId: string, except?: string): void => {
      const isOver = (row: { userId: string; sessionToken: string | null }): boolean =>
        row.userId === userId && (except === undefined || row.sessionToken !== except)
      records.drop(isOver)
      sessions.drop(isOver)
    },
    useVerificationToken: (pair: { identifier: string; token: string }): VerificationToken | null =>
      tokens.take(tokenKey(pair))
  }
}
