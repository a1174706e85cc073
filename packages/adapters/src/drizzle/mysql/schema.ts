import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import { bigint, datetime, index, int, mysqlTable, primaryKey, text, varchar } from 'drizzle-orm/mysql-core'
import type { ColumnNames, Naming } from '../table-options.ts'

/** The longest key, in characters: InnoDB's indexes have room for two of them. */
const length = 255
/** The longest name that a provider gives to a session: what is left of an index beside a key. */
export const sessionIdLength = 500
/** The longest subject of a revocation: a key, and what it is the key of. */
export const subjectLength = 300

/** The tables, as Auth.js' Drizzle adapter has them, and Postern's own. */
export type Tables = ReturnType<typeof defineTables>

/** Defines the tables, under other names where the database has them. */
export function defineTables({ tables = {}, columns = {} }: Naming = {}) {
  const users = defineUsers(tables.users ?? 'user', columns.users)
  return {
    users,
    accounts: defineAccounts(tables.accounts ?? 'account', columns.accounts, users),
    sessions: defineSessions(tables.sessions ?? 'session', columns.sessions, users),
    verificationTokens: defineTokens(tables.verificationTokens ?? 'verificationToken', columns.verificationTokens),
    posternLocks: mysqlTable('postern_lock', {
      key: varchar('key', { length }).primaryKey(),
      owner: varchar('owner', { length }).notNull(),
      until: bigint('until', { mode: 'number' }).notNull()
    }),
    posternSessions: defineRecords(),
    posternRevocations: defineRevocations()
  }
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

function defineAccounts(
  table: string,
  name: NonNullable<ColumnNames['accounts']> = {},
  users: ReturnType<typeof defineUsers>
) {
  const columns = {
    userId: varchar(name.userId ?? 'userId', { length })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: varchar(name.type ?? 'type', { length })
      .$type<AccountType>()
      .notNull(),
    provider: varchar(name.provider ?? 'provider', { length }).notNull(),
    providerAccountId: varchar(name.providerAccountId ?? 'providerAccountId', { length }).notNull(),
    refresh_token: text(name.refresh_token ?? 'refresh_token'),
    access_token: text(name.access_token ?? 'access_token'),
    expires_at: int(name.expires_at ?? 'expires_at'),
    token_type: text(name.token_type ?? 'token_type'),
    scope: text(name.scope ?? 'scope'),
    id_token: text(name.id_token ?? 'id_token'),
    session_state: text(name.session_state ?? 'session_state')
  }
  return mysqlTable(table, columns, (account) => [
    primaryKey({ columns: [account.provider, account.providerAccountId] }),
    index(`postern_${table}_userId`).on(account.userId)
  ])
}

function defineSessions(
  table: string,
  name: NonNullable<ColumnNames['sessions']> = {},
  users: ReturnType<typeof defineUsers>
) {
  const columns = {
    sessionToken: varchar(name.sessionToken ?? 'sessionToken', { length }).primaryKey(),
    userId: varchar(name.userId ?? 'userId', { length })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expires: datetime(name.expires ?? 'expires', { mode: 'date', fsp: 3 }).notNull()
  }
  return mysqlTable(table, columns, (session) => [
    index(`postern_${table}_userId`).on(session.userId),
    index(`postern_${table}_expires`).on(session.expires)
  ])
}

function defineTokens(table: string, name: NonNullable<ColumnNames['verificationTokens']> = {}) {
  const columns = {
    identifier: varchar(name.identifier ?? 'identifier', { length }).notNull(),
    token: varchar(name.token ?? 'token', { length }).notNull(),
    expires: datetime(name.expires ?? 'expires', { mode: 'date', fsp: 3 }).notNull()
  }
  return mysqlTable(table, columns, (token) => [
    primaryKey({ columns: [token.identifier, token.token] }),
    index(`postern_${table}_expires`).on(token.expires)
  ])
}

function defineRecords() {
  const columns = {
    id: varchar('id', { length }).primaryKey(),
    userId: varchar('userId', { length }).notNull(),
    sessionToken: varchar('sessionToken', { length }).unique('postern_record_sessionToken'),
    provider: varchar('provider', { length }),
    providerSessionId: varchar('providerSessionId', { length: sessionIdLength }),
    userAgent: text('userAgent'),
    address: text('address'),
    createdAt: datetime('createdAt', { mode: 'date', fsp: 3 }).notNull(),
    lastSeen: datetime('lastSeen', { mode: 'date', fsp: 3 }).notNull(),
    expires: datetime('expires', { mode: 'date', fsp: 3 }).notNull()
  }
  return mysqlTable('postern_session', columns, (record) => [
    index('postern_record_userId').on(record.userId),
    index('postern_record_provider').on(record.provider, record.providerSessionId),
    index('postern_record_expires').on(record.expires)
  ])
}

function defineRevocations() {
  const columns = {
    subject: varchar('subject', { length: subjectLength }).primaryKey(),
    version: bigint('version', { mode: 'number' }).notNull(),
    until: datetime('until', { mode: 'date', fsp: 3 }).notNull(),
    noted: bigint('noted', { mode: 'number' }).notNull()
  }
  return mysqlTable('postern_revocation', columns, (revocation) => [
    index('postern_revocation_noted').on(revocation.noted),
    index('postern_revocation_until').on(revocation.until)
  ])
}

const tables = defineTables()

/** The table `user`, as Auth.js' Drizzle adapter has it. */
export const users = tables.users

/** The table `account`, as Auth.js' Drizzle adapter has it, with an index on its owner. */
export const accounts = tables.accounts

/** The table `session`, as Auth.js' Drizzle adapter has it, with indexes on its owner and on its end. */
export const sessions = tables.sessions

/** The table `verificationToken`, as Auth.js' Drizzle adapter has it, with an index on its end. */
export const verificationTokens = tables.verificationTokens

/** The table `postern_lock`: who holds the lease of a name, and until when in milliseconds since 1970. */
export const posternLocks = tables.posternLocks

/** The table `postern_session`: what is known of sessions besides whose they are. */
export const posternSessions = tables.posternSessions

/** The table `postern_revocation`: which signed tokens count no longer. */
export const posternRevocations = tables.posternRevocations
