import type { AccountKey } from '@postern/core'
import { and, eq, isNull } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { isExpectedAccount } from '../../rows.ts'
import * as server from '../server/accounts.ts'
import type { Connection } from './connection.ts'
import { userIdMethods } from './user-ids.ts'
import { insertUser } from './users.ts'

/** The methods for accounts. */
export function accountMethods(connection: Connection) {
  const { db, tables, retryIdempotent } = connection
  const { accounts, posternAccounts: evidence } = tables
  return {
    ...server.accountMethods(connection, { ...accountStatements(connection), ...userIdMethods(connection) }),
    unlinkAccount: async (key) => {
      const [row] = await retryIdempotent(() => {
        const isEvidence = isAccount(evidence, key)
        const deleted = db.$with('evidence').as(db.delete(evidence).where(isEvidence).returning())
        return db.with(deleted).delete(accounts).where(isAccount(accounts, key)).returning()
      })
      return row ?? null
    }
  } satisfies Omit<AccountMethods, 'getAccounts'>
}

type Keyed = Connection['tables']['accounts' | 'posternAccounts']

const isAccount = (table: Keyed, { provider, providerAccountId }: AccountKey) =>
  and(eq(table.provider, provider), eq(table.providerAccountId, providerAccountId))

function accountStatements(connection: Connection): Omit<server.AccountStatements, 'createUserId'> {
  const { db, tables, statements } = connection
  const { accounts } = tables
  const { provider, providerAccountId } = accounts
  const find = statements.find(accounts, { provider, providerAccountId })
  return {
    find: async (key) => find({ ...key }),
    insert: async (row) => (await db.insert(accounts).values(row).returning())[0] ?? row,
    update: async (key, patch, expected) => {
      const write = async () => (await db.update(accounts).set(patch).where(isAccount(accounts, key)).returning())[0]
      const row = await (Object.keys(patch).length === 0 ? find({ ...key }) : write())
      return expected && !isExpectedAccount(row, expected) ? false : (row ?? null)
    },
    exchange: async (key, patch, { refresh_token: token = null, userId }) => {
      const isToken = token === null ? isNull(accounts.refresh_token) : eq(accounts.refresh_token, token)
      const isUser = userId === undefined ? undefined : eq(accounts.userId, userId)
      const where = and(isAccount(accounts, key), isToken, isUser)
      return (await db.update(accounts).set(patch).where(where).returning())[0] ?? false
    },
    // One statement inserts both rows.
    insertBoth: async (user, account) => {
      const created = db.$with('created').as(insertUser(connection, user).returning())
      const linked = db.$with('linked').as(db.insert(accounts).values(account).returning())
      return (await db.with(created, linked).select().from(created))[0] ?? user
    },
    isAccount: (key) => isAccount(accounts, key)
  }
}
