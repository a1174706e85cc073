import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { ColumnNames, Naming } from '../table-options.ts'

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
    posternLocks: pgTable('postern_lock', {
      key: text('key').primaryKey(),
      owner: text('owner').notNull(),
      until: bigint('until', { mode: 'number' }).notNull()
    }),
    posternSessions: defineRecords(),
    posternRevocations: defineRevocations()
  }
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

function defineAccounts(
  table: string,
  name: NonNullable<ColumnNames['accounts']> = {},
  users: ReturnType<typeof defineUsers>
) {
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
  return pgTable(table, columns, (account) => [
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
    sessionToken: text(name.sessionToken ?? 'sessionToken').primaryKey(),
    userId: text(name.userId ?? 'userId')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expires: timestamp(name.expires ?? 'expires', { mode: 'date' }).notNull()
  }
  return pgTable(table, columns, (session) => [
    index(`postern_${table}_userId`).on(session.userId),
    index(`postern_${table}_expires`).on(session.expires)
  ])
}

function defineTokens(table: string, name: NonNullable<ColumnNames['verificationTokens']> = {}) {
  const columns = {
    identifier: text(name.identifier ?? 'identifier').notNull(),
    token: text(name.token ?? 'token').notNull(),
    expires: timestamp(name.expires ?? 'expires', { mode: 'date' }).notNull()
  }
  return pgTable(table, columns, (token) => [
    primaryKey({ columns: [token.identifier, token.token] }),
    index(`postern_${table}_expires`).on(token.expires)
  ])
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
    createdAt: timestamp('createdAt', { mode: 'date' }).notNull(),
    lastSeen: timestamp('lastSeen', { mode: 'date' }).notNull(),
    expires: timestamp('expires', { mode: 'date' }).notNull()
  }
  return pgTable('postern_session', columns, (record) => [
    index('postern_record_userId').on(record.userId),
    index('postern_record_provider').on(record.provider, record.providerSessionId),
    index('postern_record_expires').on(record.expires)
  ])
}

function defineRevocations() {
  const columns = {
    subject: text('subject').primaryKey(),
    version: bigint('version', { mode: 'number' }).notNull(),
    until: timestamp('until', { mode: 'date' }).notNull(),
    noted: bigint('noted', { mode: 'number' }).notNull()
  }
  return pgTable('postern_revocation', columns, (revocation) => [
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
