import type { AccountKey } from '@postern/core'
import { and, isNull } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { type AccountRow, isExpectedAccount } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { accountQueries } from '../operations/accounts.ts'
import * as server from '../server/accounts.ts'
import { isKey } from '../statements.ts'
import { extraFields } from '../table-options.ts'
import { type AccountKeys, createAccountKeys } from './account-keys.ts'
import type { Connection } from './connection.ts'
import { getAffectedRows } from './results.ts'
import { userIdMethods } from './user-ids.ts'

/** The methods for accounts. */
export function accountMethods(connection: Connection) {
  const { db, tables, isExactly, retryIdempotent } = connection
  const { accounts, posternAccounts: evidence } = tables
  const { isKey: isAccount, toRow } = createAccountKeys(connection)
  const own = { ...accountStatements(connection), ...userIdMethods(connection) }
  const { getAccounts } = accountQueries(connection)
  const { provider, providerAccountId } = evidence
  return {
    ...server.accountMethods(connection, own),
    unlinkAccount: (key) =>
      retryIdempotent(async () => {
        const found = await own.find(key)
        // The evidence is deleted first: a crash between the statements leaves none without its account.
        await db.delete(evidence).where(isKey(isExactly, { provider, providerAccountId }, { ...key }))
        if (!found) return null
        return hasAffected(await db.delete(accounts).where(isAccount(key))) ? found : null
      }),
    getAccounts: async (userId) => (await retryIdempotent(() => getAccounts(userId))).map(toRow)
  } satisfies AccountMethods
}

/** Whether a statement changed the account, which may be stored in both forms. */
const hasAffected = (result: unknown): boolean => Number(getAffectedRows(result)) > 0

function createFind({ db, tables }: Connection, { isKey, toRow }: AccountKeys) {
  return async (key: AccountKey): Promise<AccountRow | null> => {
    const [found] = await db.select().from(tables.accounts).where(isKey(key))
    return found ? toRow(found) : null
  }
}

function accountStatements(connection: Connection): Omit<server.AccountStatements, 'createUserId'> {
  const { db, tables, isExactly, transaction } = connection
  const { users, accounts } = tables
  const keys = createAccountKeys(connection)
  const { isKey, insert, insertAlone } = keys
  const extra = lazy(() => extraFields(users))
  const find = createFind(connection, keys)
  const isUser = (expected: server.Expected) =>
    expected?.userId === undefined ? undefined : isExactly(accounts.userId, expected.userId)
  return {
    find,
    insert: async (row) => {
      await insertAlone(row)
      return row
    },
    update: async (key, patch, expected) => {
      const isAccount = and(isKey(key), isUser(expected))
      const isWritten =
        Object.keys(patch).length > 0 && hasAffected(await db.update(accounts).set(patch).where(isAccount))
      if (isWritten) return { ...key, ...patch }
      // Pools can be configured to count only rows that the statement changed.
      const found = await find(key)
      return expected && !isExpectedAccount(found, expected) ? false : found
    },
    exchange: async (key, patch, before) => {
      const { refresh_token: token = null } = before
      const isToken = token === null ? isNull(accounts.refresh_token) : isExactly(accounts.refresh_token, token)
      const where = and(isKey(key), isToken, isUser(before))
      if (hasAffected(await db.update(accounts).set(patch).where(where))) return { ...key, ...patch }
      const found = await find(key)
      // Pools can be configured to count only rows that the statement changed.
      return found && isExpectedAccount(found, before) ? found : false
    },
    insertBoth: async (user, account) => {
      await transaction(async (db) => {
        await db.insert(users).values(user)
        await insert(db, account)
      })
      return extra().length > 0 ? null : user
    },
    isAccount: isKey
  }
}
