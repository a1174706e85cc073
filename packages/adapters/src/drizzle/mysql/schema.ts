import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import {
  bigint,
  datetime,
  index,
  int,
  type MySqlColumn,
  mysqlTable,
  primaryKey,
  text,
  varchar
} from 'drizzle-orm/mysql-core'
import {
  buildColumns,
  type ColumnContext,
  type ColumnKinds,
  findKeys,
  type TableColumns,
  tableColumns
} from '../table-columns.ts'
import type { ColumnNames, Naming } from '../table-options.ts'

/** The maximum length of a key in characters: an InnoDB index can contain two of them. */
const length = 255
/** The maximum length of a provider's session id: the space that an index has left next to a key. */
const sessionIdLength = 500
/** The maximum length of a revocation's subject: a key with its prefix. */
const subjectLength = 300

/** The tables of Auth.js' Drizzle adapter, and Postern's own. */
export type Tables = ReturnType<typeof defineTables>

/** Defines the tables, with the names of the options. */
export function defineTables({ tables = {}, columns = {} }: Naming = {}) {
  const users = defineUsers(tables.users ?? 'user', columns.users)
  return { users, ...defineOtherTables(users, { tables, columns }) }
}

/** A table that accounts and sessions refer to. */
interface Referenced {
  readonly id: MySqlColumn
}

/** The columns by what they hold. */
const builders = {
  id: (name: string) => varchar(name, { length }).primaryKey(),
  reference: (name: string, users: Referenced) =>
    varchar(name, { length })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  key: (name: string) => varchar(name, { length }).notNull(),
  nullableKey: (name: string) => varchar(name, { length }),
  uniqueToken: (name: string) => varchar(name, { length }).unique('postern_record_sessionToken'),
  accountType: (name: string) => varchar(name, { length }).$type<AccountType>().notNull(),
  subject: (name: string) => varchar(name, { length: subjectLength }).primaryKey(),
  providerSessionId: (name: string) => varchar(name, { length: sessionIdLength }),
  text: (name: string) => text(name).notNull(),
  nullableText: (name: string) => text(name),
  instant: (name: string) => datetime(name, { mode: 'date', fsp: 3 }).notNull(),
  nullableInstant: (name: string) => datetime(name, { mode: 'date', fsp: 3 }),
  count: (name: string) => int(name).notNull(),
  number: (name: string) => bigint(name, { mode: 'number' }).notNull(),
  nullableNumber: (name: string) => bigint(name, { mode: 'number' })
}

/** Defines the tables beside the users table. */
export function defineOtherTables(users: Referenced, { tables = {}, columns = {} }: Naming) {
  const { accounts = 'account', sessions = 'session', verificationTokens = 'verificationToken' } = tables
  const own = { users }
  // The foreign key uses the first index that begins with `userId`. If that index also contained `expires`, each extension of a
  // session would lock the row of its user.
  return {
    accounts: define(accounts, tableColumns.accounts, { users, names: columns.accounts }),
    sessions: define(
      sessions,
      { ...tableColumns.sessions, indexes: { userId: ['userId'], ...tableColumns.sessions.indexes } },
      { users, names: columns.sessions }
    ),
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
  return mysqlTable(name, buildColumns(table.columns, builders, context), (columns) => {
    const { primaryKeys, indexes } = findKeys<MySqlColumn>(table, name, columns)
    return [
      ...primaryKeys.map((columns) => primaryKey({ columns })),
      ...indexes.map(({ name, columns }) => index(name).on(...columns))
    ]
  })
}

function defineUsers(table: string, name: NonNullable<ColumnNames['users']> = {}) {
  return mysqlTable(table, {
    id: varchar(name.id ?? 'id', { length })
      .primaryKey()
      .$defaultFn(randomUUID),
    name: text(name.name ?? 'name'),
    email: varchar(name.email ?? 'email', { length }).unique(),
    emailVerified: datetime(name.emailVerified ?? 'emailVerified', { mode: 'date', fsp: 3 }),
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
