import { type AccountKey, exactLookup } from '@postern/core'
import { eq } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { versionColumns } from '../version-columns.ts'
import { type AccountKeys, createAccountKeys } from './account-keys.ts'
import type { Connection } from './connection.ts'
import { isVersionOf } from './user-versions.ts'

/** The methods that find users by account. */
export function userByAccountMethods(connection: Connection) {
  const { retryIdempotent } = connection
  const keys = createAccountKeys(connection)
  const statements = lazy(() => prepareStatements(connection, keys))
  return {
    getUserByAccount: exactLookup(async (key: AccountKey) => {
      const [found] = await retryIdempotent(() => statements().user.execute(keys.getParameters(key)))
      return found?.user ?? null
    }),
    /** Finds the user with their row and the account. */
    find: async (key: AccountKey) => {
      const [found] = await retryIdempotent(() => statements().withVersion.execute(keys.getParameters(key)))
      return found ? { ...found, account: keys.toRow(found.account) } : null
    }
  }
}

function prepareStatements({ db, tables, columnLimits }: Connection, { isNamedKey }: AccountKeys) {
  const { users, accounts } = tables
  const isOwner = eq(users.id, accounts.userId)
  return {
    user: db.select({ user: users }).from(accounts).innerJoin(users, isOwner).where(isNamedKey()).prepare(),
    withVersion: db
      .select({ user: users, account: accounts, version: versionColumns(tables.posternUsers) })
      .from(accounts)
      .innerJoin(users, isOwner)
      .leftJoin(tables.posternUsers, isVersionOf({ tables, columnLimits }))
      .where(isNamedKey())
      .prepare()
  }
}
