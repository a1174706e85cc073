import { type AccountKey, exactLookup } from '@postern/core'
import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import { versionColumns } from '../version-columns.ts'
import type { Connection } from './connection.ts'
import { isVersionOf } from './user-versions.ts'

/** The methods that find users by account. */
export function userByAccountMethods(connection: Connection) {
  const { retryIdempotent } = connection
  const statements = lazy(() => prepareStatements(connection))
  return {
    getUserByAccount: exactLookup(async ({ provider, providerAccountId }: AccountKey) => {
      const [found] = await retryIdempotent(() => statements().user.execute({ provider, providerAccountId }))
      return found?.user ?? null
    }),
    /** Finds the user with their row and the account. */
    find: async ({ provider, providerAccountId }: AccountKey) => {
      const [found] = await retryIdempotent(() => statements().withVersion.execute({ provider, providerAccountId }))
      return found ?? null
    }
  }
}

/**
 * Compares bytes, in addition to a comparison that uses the index: the column may be `citext`, or have its own
 * collation.
 */
const hasBytes = (column: SQLWrapper, text: SQL): SQL => sql`${column}::text collate "C" = ${text}::text collate "C"`

function prepareStatements({ db, tables }: Connection) {
  const { users, accounts } = tables
  const isAccount = and(
    eq(accounts.provider, placeholder('provider')),
    eq(accounts.providerAccountId, placeholder('providerAccountId')),
    hasBytes(accounts.provider, placeholder('provider')),
    hasBytes(accounts.providerAccountId, placeholder('providerAccountId'))
  )
  const isOwner = eq(users.id, accounts.userId)
  return {
    user: db
      .select({ user: users })
      .from(accounts)
      .innerJoin(users, isOwner)
      .where(isAccount)
      .prepare(unnamedPlaceholder),
    withVersion: db
      .select({ user: users, account: accounts, version: versionColumns(tables.posternUsers) })
      .from(accounts)
      .innerJoin(users, isOwner)
      .leftJoin(tables.posternUsers, isVersionOf(tables))
      .where(isAccount)
      .prepare(unnamedPlaceholder)
  }
}
