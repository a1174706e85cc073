import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import { index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
  readonly id: SQLiteColumn
}

/** Defines the tables beside the users table. */
export function defineOtherTables(users: Referenced, { tables = {}, columns = {} }: Naming) {
  return {
    accounts: defineAccounts(tables.accounts ?? 'account', columns.accounts, users),
    sessions: defineSessions(tables.sessions ?? 'session', columns.sessions, users),
    verificationTokens: defineTokens(tables.verificationTokens ?? 'verificationToken', columns.verificationTokens),
    posternLocks: defineLocks(),
    posternSessions: defineRecords(),
    posternRevocations: defineRevocations(),
    posternAccounts: defineEvidence(),
    posternTickets: defineTickets(),
    posternFactors: defineFactors(),
    posternEvents: defineEvents(),
    posternUsers: defineUserVersions()
  }
}

function defineUsers(table: string, name: NonNullable<ColumnNames['users']> = {}) {
  return sqliteTable(table, {
    id: text(name.id ?? 'id')
      .primaryKey()
      .$defaultFn(randomUUID),
    name: text(name.name ?? 'name'),
    email: text(name.email ?? 'email').unique(),
    emailVerified: integer(name.emailVerified ?? 'emailVerified', { mode: 'timestamp_ms' }),
    image: text(name.image ?? 'image')
  })
}

function defineAccounts(table: string, name: NonNullable<ColumnNames['accounts']> = {}, users: Referenced) {
  const columns = {
    userId: text(name.userId ?? 'userId')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text(name.type ?? 'type')
      .$type<AccountType>()
      .notNull(),
    provider: text(name.provider ?? 'provider').notNull(),
    providerAccountId: text(name.providerAccountId ?? 'providerAccountId').notNull(),
    refresh_token: text(name.refresh_token ?? 'refresh_token'),
    access_token: text(name.access_token ?? 'access_token'),
    expires_at: integer(name.expires_at ?? 'expires_at'),
    token_type: text(name.token_type ?? 'token_type'),
    scope: text(name.scope ?? 'scope'),
    id_token: text(name.id_token ?? 'id_token'),
    session_state: text(name.session_state ?? 'session_state')
  }
  return sqliteTable(table, columns, (account) => [
    primaryKey({ columns: [account.provider, account.providerAccountId] }),
    index(`postern_${table}_userId`).on(account.userId)
  ])
}

function defineSessions(table: string, name: NonNullable<ColumnNames['sessions']> = {}, users: Referenced) {
  const columns = {
    sessionToken: text(name.sessionToken ?? 'sessionToken').primaryKey(),
    userId: text(name.userId ?? 'userId')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expires: integer(name.expires ?? 'expires', { mode: 'timestamp_ms' }).notNull()
  }
  return sqliteTable(table, columns, (session) => [
    index(`postern_${table}_userId_expires`).on(session.userId, session.expires),
    index(`postern_${table}_expires`).on(session.expires)
  ])
}

function defineTokens(table: string, name: NonNullable<ColumnNames['verificationTokens']> = {}) {
  const columns = {
    identifier: text(name.identifier ?? 'identifier').notNull(),
    token: text(name.token ?? 'token').notNull(),
    expires: integer(name.expires ?? 'expires', { mode: 'timestamp_ms' }).notNull()
  }
  return sqliteTable(table, columns, (token) => [
    primaryKey({ columns: [token.identifier, token.token] }),
    index(`postern_${table}_expires`).on(token.expires)
  ])
}

function defineLocks() {
  const columns = {
    key: text('key').primaryKey(),
    owner: text('owner').notNull(),
    until: integer('until').notNull()
  }
  return sqliteTable('postern_lock', columns, (lock) => [index('postern_lock_until').on(lock.until)])
}

function defineRecords() {
  const columns = {
    id: text('id').primaryKey(),
    userId: text('userId').notNull(),
    sessionToken: text('sessionToken').unique('postern_record_sessionToken'),
    provider: text('provider'),
    providerSessionId: text('providerSessionId'),
    userAgent: text('userAgent'),
    address: text('address'),
    createdAt: integer('createdAt', { mode: 'timestamp_ms' }).notNull(),
    lastSeen: integer('lastSeen', { mode: 'timestamp_ms' }).notNull(),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull(),
    data: text('data')
  }
  return sqliteTable('postern_session', columns, (record) => [
    index('postern_record_userId_expires').on(record.userId, record.expires),
    index('postern_record_provider').on(record.provider, record.providerSessionId),
    index('postern_record_expires').on(record.expires)
  ])
}

function defineRevocations() {
  const columns = {
    subject: text('subject').primaryKey(),
    version: integer('version').notNull(),
    until: integer('until', { mode: 'timestamp_ms' }).notNull(),
    noted: integer('noted').notNull()
  }
  return sqliteTable('postern_revocation', columns, (revocation) => [
    index('postern_revocation_noted').on(revocation.noted),
    index('postern_revocation_until').on(revocation.until)
  ])
}

function defineEvidence() {
  const columns = {
    provider: text('provider').notNull(),
    providerAccountId: text('providerAccountId').notNull(),
    userId: text('userId').notNull(),
    email: text('email').notNull(),
    verifiedAt: integer('verifiedAt', { mode: 'timestamp_ms' }).notNull()
  }
  return sqliteTable('postern_account', columns, (evidence) => [
    primaryKey({ columns: [evidence.provider, evidence.providerAccountId] }),
    index('postern_evidence_userId').on(evidence.userId)
  ])
}

function defineTickets() {
  const columns = {
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    userId: text('userId'),
    data: text('data').notNull(),
    tries: integer('tries').notNull(),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull(),
    dueAt: integer('dueAt', { mode: 'timestamp_ms' })
  }
  return sqliteTable('postern_ticket', columns, (ticket) => [
    primaryKey({ columns: [ticket.kind, ticket.id] }),
    index('postern_ticket_userId').on(ticket.userId),
    index('postern_ticket_expires').on(ticket.expires),
    index('postern_ticket_dueAt').on(ticket.dueAt)
  ])
}

function defineFactors() {
  const columns = {
    type: text('type').notNull(),
    id: text('id').notNull(),
    userId: text('userId').notNull(),
    name: text('name'),
    data: text('data').notNull(),
    createdAt: integer('createdAt', { mode: 'timestamp_ms' }).notNull(),
    lastUsedAt: integer('lastUsedAt', { mode: 'timestamp_ms' }),
    version: integer('version').notNull()
  }
  return sqliteTable('postern_factor', columns, (factor) => [
    primaryKey({ columns: [factor.type, factor.id] }),
    index('postern_factor_userId').on(factor.userId)
  ])
}

function defineEvents() {
  const columns = {
    id: text('id').primaryKey(),
    time: integer('time', { mode: 'timestamp_ms' }).notNull(),
    type: text('type').notNull(),
    userId: text('userId'),
    sessionId: text('sessionId'),
    ip: text('ip'),
    userAgent: text('userAgent'),
    provider: text('provider'),
    requestId: text('requestId'),
    data: text('data')
  }
  return sqliteTable('postern_event', columns, (event) => [
    index('postern_event_userId').on(event.userId, event.time),
    index('postern_event_time').on(event.time)
  ])
}

function defineUserVersions() {
  const columns = {
    userId: text('userId').primaryKey(),
    version: integer('version').notNull(),
    sessionsFrom: integer('sessionsFrom').notNull(),
    suspendedAt: integer('suspendedAt', { mode: 'timestamp_ms' }),
    changeId: text('changeId'),
    until: integer('until', { mode: 'timestamp_ms' }),
    /** When the row may be deleted: `null` while the user exists. */
    deleteAfter: integer('deleteAfter', { mode: 'timestamp_ms' })
  }
  return sqliteTable('postern_user', columns, (version) => [index('postern_user_deleteAfter').on(version.deleteAfter)])
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
