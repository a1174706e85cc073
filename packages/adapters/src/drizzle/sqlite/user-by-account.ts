import { type AccountKey, exactLookup } from '@postern/core'
import { and, eq, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { versionColumns } from '../version-columns.ts'
import type { Connection } from './connection.ts'
import { stablePlaceholder } from './stable-placeholder.ts'
import { isVersionOf } from './user-versions.ts'

/** The methods that find users by account. */
export function userByAccountMethods(connection: Connection) {
  const { read } = connection
  const statements = prepareStatements(connection)
  return {
    getUserByAccount: exactLookup(({ provider, providerAccountId }: AccountKey) =>
      read(() => statements.user().get({ provider, providerAccountId })?.user ?? null)
    ),
    /** Finds the user with their row and the account. */
    find: ({ provider, providerAccountId }: AccountKey) =>
      read(() => statements.withVersion().get({ provider, providerAccountId }) ?? null)
  }
}

function prepareStatements({ db, tables }: Connection) {
  const { users, accounts } = tables
  // The first two comparisons use the index; an application's column may be NOCASE, so the others compare bytes.
  const isAccount = and(
    eq(accounts.provider, stablePlaceholder('provider')),
    eq(accounts.providerAccountId, stablePlaceholder('providerAccountId')),
    sql`${accounts.provider} = ${stablePlaceholder('provider')} collate binary`,
    sql`${accounts.providerAccountId} = ${stablePlaceholder('providerAccountId')} collate binary`
  )
  const isOwner = eq(users.id, accounts.userId)
  return {
    user: lazy(() => db.select({ user: users }).from(accounts).innerJoin(users, isOwner).where(isAccount).prepare()),
    withVersion: lazy(() =>
      db
        .select({ user: users, account: accounts, version: versionColumns(tables.posternUsers) })
        .from(accounts)
        .innerJoin(users, isOwner)
        .leftJoin(tables.posternUsers, isVersionOf(tables))
        .where(isAccount)
        .prepare()
    )
  }
}
