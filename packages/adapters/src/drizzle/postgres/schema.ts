import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import { bigint, index, integer, type PgColumn, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import {
  buildColumns,
  type ColumnContext,
  type ColumnKinds,
  findKeys,
  type TableColumns,
  tableColumns
} from '../table-columns.ts'
import type { ColumnNames, Naming } from '../table-options.ts'

/** The tables of Auth.js' Drizzle adapter, and Postern's own. */
export type Tables = ReturnType<typeof defineTables>

/** Defines the tables, with the names of the options. */
export function defineTables({ tables = {}, columns = {} }: Naming = {}) {
  const users = defineUsers(tables.users ?? 'user', columns.users)
  return { users, ...defineOtherTables(users, { tables, columns }) }
}

/** A table that accounts and sessions refer to. */
interface Referenced {
  readonly id: PgColumn
}

/** The columns by what they hold. */
const builders = {
  id: (name: string) => text(name).primaryKey(),
  reference: (name: string, users: Referenced) =>
    text(name)
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  key: (name: string) => text(name).notNull(),
  nullableKey: (name: string) => text(name),
  uniqueToken: (name: string) => text(name).unique('postern_record_sessionToken'),
  accountType: (name: string) => text(name).$type<AccountType>().notNull(),
  subject: (name: string) => text(name).primaryKey(),
  providerSessionId: (name: string) => text(name),
  text: (name: string) => text(name).notNull(),
  nullableText: (name: string) => text(name),
  instant: (name: string) => timestamp(name, { mode: 'date' }).notNull(),
  nullableInstant: (name: string) => timestamp(name, { mode: 'date' }),
  count: (name: string) => integer(name).notNull(),
  number: (name: string) => bigint(name, { mode: 'number' }).notNull(),
  nullableNumber: (name: string) => bigint(name, { mode: 'number' })
}

/** Defines the tables beside the users table. */
export function defineOtherTables(users: Referenced, { tables = {}, columns = {} }: Naming) {
  const { accounts = 'account', sessions = 'session', verificationTokens = 'verificationToken' } = tables
  const own = { users }
  return {
    accounts: define(accounts, tableColumns.accounts, { users, names: columns.accounts }),
    sessions: define(sessions, tableColumns.sessions, { users, names: columns.sessions }),
    verificationTokens: define(verificationTokens, tableColumns.verificationTokens, {
      users,
      names: columns.verificationTokens
    }),
    posternLocks: define('postern_lock', tableColumns.locks, own),
    posternSessions: define('postern_session', tableColumns.records, own),
    posternRevocations: define('postern_revocation', tableColumns.revocations, own),
    posternAccounts: define('postern_account', tableColumns.evidence, own),
    posternTickets: define('postern_ticket', tableColumns.tickets, own),
    posternFactors: define('postern_factor', tableColumns.factors, own),
    posternEvents: define('postern_event', tableColumns.events, own),
    posternUsers: define('postern_user', tableColumns.userVersions, own)
  }
}

/** Defines a table. */
function define<Name extends string, Columns extends ColumnKinds>(
  name: Name,
  table: TableColumns<Columns>,
  context: ColumnContext<Referenced>
) {
  return pgTable(name, buildColumns(table.columns, builders, context), (columns) => {
    const { primaryKeys, indexes } = findKeys<PgColumn>(table, name, columns)
    return [
      ...primaryKeys.map((columns) => primaryKey({ columns })),
      ...indexes.map(({ name, columns }) => index(name).on(...columns))
    ]
  })
}

function defineUsers(table: string, name: NonNullable<ColumnNames['users']> = {}) {
  return pgTable(table, {
    id: text(name.id ?? 'id')
      .primaryKey()
      .$defaultFn(randomUUID),
    name: text(name.name ?? 'name'),
    email: text(name.email ?? 'email').unique(),
    emailVerified: timestamp(name.emailVerified ?? 'emailVerified', { mode: 'date' }),
    image: text(name.image ?? 'image')
  })
}

const tables = defineTables()

/** The table `user`, as in Auth.js' Drizzle adapter. */
export const users = tables.users

/** The table `account`, as in Auth.js' Drizzle adapter, with an index on its owner. */
export const accounts = tables.accounts

/** The table `session`, as in Auth.js' Drizzle adapter, with indexes on its owner and its expiry. */
export const sessions = tables.sessions

/** The table `verificationToken`, as in Auth.js' Drizzle adapter, with an index on its expiry. */
export const verificationTokens = tables.verificationTokens

/** The table `postern_lock`: the holder of each lease, and its expiry in milliseconds since 1970. */
export const posternLocks = tables.posternLocks

/** The table `postern_session`: the records of sessions. */
export const posternSessions = tables.posternSessions

/** The table `postern_revocation`: revocations of JWT sessions. */
export const posternRevocations = tables.posternRevocations

/** The table `postern_account`: the email address that each account has proven. */
export const posternAccounts = tables.posternAccounts

/** The table `postern_ticket`: pending operations. */
export const posternTickets = tables.posternTickets

/** The table `postern_factor`: what users authenticate with. */
export const posternFactors = tables.posternFactors

/** The table `postern_event`: security events. */
export const posternEvents = tables.posternEvents

/** The table `postern_user`: what may sign in as each user, by versions. */
export const posternUsers = tables.posternUsers
