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

/** Defines the tables beside the users table. */
export function defineOtherTables(users: Referenced, { tables = {}, columns = {} }: Naming) {
  return {
    accounts: defineAccounts(tables.accounts ?? 'account', columns.accounts, users),
    sessions: defineSessions(tables.sessions ?? 'session', columns.sessions, users),
    verificationTokens: defineTokens(tables.verificationTokens ?? 'verificationToken', columns.verificationTokens),
    posternLocks: mysqlTable('postern_lock', {
      key: varchar('key', { length }).primaryKey(),
      owner: varchar('owner', { length }).notNull(),
      until: bigint('until', { mode: 'number' }).notNull()
    }),
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

function defineAccounts(table: string, name: NonNullable<ColumnNames['accounts']> = {}, users: Referenced) {
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
    expires_at: bigint(name.expires_at ?? 'expires_at', { mode: 'number' }),
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

function defineSessions(table: string, name: NonNullable<ColumnNames['sessions']> = {}, users: Referenced) {
  const columns = {
    sessionToken: varchar(name.sessionToken ?? 'sessionToken', { length }).primaryKey(),
    userId: varchar(name.userId ?? 'userId', { length })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expires: datetime(name.expires ?? 'expires', { mode: 'date', fsp: 3 }).notNull()
  }
  // The foreign key uses the first index that begins with `userId`. If that index also contained `expires`, each extension of a
  // session would lock the row of its user.
  return mysqlTable(table, columns, (session) => [
    index(`postern_${table}_userId`).on(session.userId),
    index(`postern_${table}_userId_expires`).on(session.userId, session.expires),
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
    expires: datetime('expires', { mode: 'date', fsp: 3 }).notNull(),
    data: text('data')
  }
  return mysqlTable('postern_session', columns, (record) => [
    index('postern_record_userId_expires').on(record.userId, record.expires),
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

function defineEvidence() {
  const columns = {
    provider: varchar('provider', { length }).notNull(),
    providerAccountId: varchar('providerAccountId', { length }).notNull(),
    userId: varchar('userId', { length }).notNull(),
    email: text('email').notNull(),
    verifiedAt: datetime('verifiedAt', { mode: 'date', fsp: 3 }).notNull()
  }
  return mysqlTable('postern_account', columns, (evidence) => [
    primaryKey({ columns: [evidence.provider, evidence.providerAccountId] }),
    index('postern_evidence_userId').on(evidence.userId)
  ])
}

function defineTickets() {
  const columns = {
    kind: varchar('kind', { length }).notNull(),
    id: varchar('id', { length }).notNull(),
    userId: varchar('userId', { length }),
    data: text('data').notNull(),
    tries: int('tries').notNull(),
    expires: datetime('expires', { mode: 'date', fsp: 3 }).notNull(),
    dueAt: datetime('dueAt', { mode: 'date', fsp: 3 })
  }
  return mysqlTable('postern_ticket', columns, (ticket) => [
    primaryKey({ columns: [ticket.kind, ticket.id] }),
    index('postern_ticket_userId').on(ticket.userId),
    index('postern_ticket_expires').on(ticket.expires),
    index('postern_ticket_dueAt').on(ticket.dueAt)
  ])
}

function defineFactors() {
  const columns = {
    type: varchar('type', { length }).notNull(),
    id: varchar('id', { length }).notNull(),
    userId: varchar('userId', { length }).notNull(),
    name: text('name'),
    data: text('data').notNull(),
    createdAt: datetime('createdAt', { mode: 'date', fsp: 3 }).notNull(),
    lastUsedAt: datetime('lastUsedAt', { mode: 'date', fsp: 3 }),
    version: int('version').notNull()
  }
  return mysqlTable('postern_factor', columns, (factor) => [
    primaryKey({ columns: [factor.type, factor.id] }),
    index('postern_factor_userId').on(factor.userId)
  ])
}

function defineEvents() {
  const columns = {
    id: varchar('id', { length }).primaryKey(),
    time: datetime('time', { mode: 'date', fsp: 3 }).notNull(),
    type: varchar('type', { length }).notNull(),
    userId: varchar('userId', { length }),
    sessionId: varchar('sessionId', { length }),
    ip: text('ip'),
    userAgent: text('userAgent'),
    provider: varchar('provider', { length }),
    requestId: text('requestId'),
    data: text('data')
  }
  return mysqlTable('postern_event', columns, (event) => [
    index('postern_event_userId').on(event.userId, event.time),
    index('postern_event_time').on(event.time)
  ])
}

function defineUserVersions() {
  const columns = {
    userId: varchar('userId', { length }).primaryKey(),
    version: bigint('version', { mode: 'number' }).notNull(),
    sessionsFrom: bigint('sessionsFrom', { mode: 'number' }).notNull(),
    suspendedAt: datetime('suspendedAt', { mode: 'date', fsp: 3 }),
    changeId: varchar('changeId', { length }),
    until: datetime('until', { mode: 'date', fsp: 3 }),
    /** When the row may be deleted: `null` while the user exists. */
    deleteAfter: datetime('deleteAfter', { mode: 'date', fsp: 3 })
  }
  return mysqlTable('postern_user', columns, (version) => [index('postern_user_deleteAfter').on(version.deleteAfter)])
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
