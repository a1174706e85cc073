import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Migration, type MigrationPlan, toMigrations } from '../migration.ts'
import { createEvents, createFactors } from './factor-tables.ts'
import {
  accounts,
  posternAccounts,
  posternEvents,
  posternFactors,
  posternLocks,
  posternRevocations,
  posternSessions,
  posternTickets,
  sessions,
  type Tables,
  users,
  verificationTokens
} from './schema.ts'
import { createEvidence, createTickets } from './ticket-tables.ts'

type Table = Tables[keyof Tables]

/** A quoted name. */
export const c = ({ name }: { readonly name: string }): string => `"${name.replaceAll('"', '""')}"`
/** The quoted name of a table. */
export const quoted = (table: Table): string => c({ name: getTableName(table) })

/** Adds the column for what features state about a session. */
const addSessionData: MigrationPlan<Tables> = {
  version: 5,
  name: '0005_session_data',
  statements: ({ posternSessions }) => [
    [posternSessions, `alter table ${quoted(posternSessions)} add column "data" text`, 'data']
  ]
}

/** The migrations of the schema, in order. */
export const plans: readonly MigrationPlan<Tables>[] = [
  {
    version: 1,
    name: '0001_tables',
    statements: ({ users, accounts, sessions, verificationTokens, posternLocks }) => [
      [users, createUsers(users)],
      [users, uniqueEmail(users)],
      [accounts, createAccounts(accounts, users)],
      [accounts, createIndex(accounts, 'userId')],
      [sessions, createSessions(sessions, users)],
      [sessions, createIndex(sessions, 'userId', 'expires')],
      [sessions, createIndex(sessions, 'expires')],
      [verificationTokens, createVerificationTokens(verificationTokens)],
      [verificationTokens, createIndex(verificationTokens, 'expires')],
      ...createLocks(posternLocks).map((sql) => [posternLocks, sql] as const)
    ]
  },
  {
    version: 2,
    name: '0002_records',
    statements: ({ posternSessions, posternRevocations }) => [
      ...createRecords(posternSessions).map((sql) => [posternSessions, sql] as const),
      ...createRevocations(posternRevocations).map((sql) => [posternRevocations, sql] as const)
    ]
  },
  {
    version: 3,
    name: '0003_tickets',
    statements: ({ posternAccounts, posternTickets }) => [
      ...createEvidence(quoted(posternAccounts)).map((sql) => [posternAccounts, sql] as const),
      ...createTickets(quoted(posternTickets)).map((sql) => [posternTickets, sql] as const)
    ]
  },
  {
    version: 4,
    name: '0004_factors',
    statements: ({ posternFactors, posternEvents }) => [
      ...createFactors(quoted(posternFactors)).map((sql) => [posternFactors, sql] as const),
      ...createEvents(quoted(posternEvents)).map((sql) => [posternEvents, sql] as const)
    ]
  },
  addSessionData
]

/** The schema as SQL, in order; for applications that run migrations themselves and pass `migrate: false`. */
export const migrations: readonly Migration[] = toMigrations(plans, {
  users,
  accounts,
  sessions,
  verificationTokens,
  posternLocks,
  posternSessions,
  posternRevocations,
  posternAccounts,
  posternTickets,
  posternFactors,
  posternEvents
})

function createUsers(users: Tables['users']): string {
  return `create table if not exists ${quoted(users)} (
  ${c(users.id)} text primary key not null,
  ${c(users.name)} text,
  ${c(users.email)} text,
  ${c(users.emailVerified)} integer,
  ${c(users.image)} text
)`
}

/** Email addresses are unique if Postern creates the users table. */
function uniqueEmail(users: Tables['users']): string {
  const name = users.email.uniqueName ?? 'user_email_unique'
  return `create unique index if not exists ${c({ name })} on ${quoted(users)} (${c(users.email)})`
}

function createAccounts(accounts: Tables['accounts'], users: Tables['users']): string {
  return `create table if not exists ${quoted(accounts)} (
  ${c(accounts.userId)} text not null references ${quoted(users)} (${c(users.id)}) on delete cascade,
  ${c(accounts.type)} text not null,
  ${c(accounts.provider)} text not null,
  ${c(accounts.providerAccountId)} text not null,
  ${c(accounts.refresh_token)} text,
  ${c(accounts.access_token)} text,
  ${c(accounts.expires_at)} integer,
  ${c(accounts.token_type)} text,
  ${c(accounts.scope)} text,
  ${c(accounts.id_token)} text,
  ${c(accounts.session_state)} text,
  primary key (${c(accounts.provider)}, ${c(accounts.providerAccountId)})
)`
}

function createSessions(sessions: Tables['sessions'], users: Tables['users']): string {
  return `create table if not exists ${quoted(sessions)} (
  ${c(sessions.sessionToken)} text primary key not null,
  ${c(sessions.userId)} text not null references ${quoted(users)} (${c(users.id)}) on delete cascade,
  ${c(sessions.expires)} integer not null
)`
}

function createVerificationTokens(tokens: Tables['verificationTokens']): string {
  return `create table if not exists ${quoted(tokens)} (
  ${c(tokens.identifier)} text not null,
  ${c(tokens.token)} text not null,
  ${c(tokens.expires)} integer not null,
  primary key (${c(tokens.identifier)}, ${c(tokens.token)})
)`
}

function createLocks(locks: Tables['posternLocks']): readonly string[] {
  return [
    `create table if not exists ${quoted(locks)} (
  "key" text primary key not null,
  "owner" text not null,
  "until" integer not null
)`,
    `create index if not exists "postern_lock_until" on ${quoted(locks)} ("until")`
  ]
}

function createRecords(records: Tables['posternSessions']): readonly string[] {
  const name = quoted(records)
  return [
    `create table if not exists ${name} (
  "id" text primary key not null,
  "userId" text not null,
  "sessionToken" text,
  "provider" text,
  "providerSessionId" text,
  "userAgent" text,
  "address" text,
  "createdAt" integer not null,
  "lastSeen" integer not null,
  "expires" integer not null
)`,
    `create unique index if not exists "postern_record_sessionToken" on ${name} ("sessionToken")`,
    `create index if not exists "postern_record_userId_expires" on ${name} ("userId", "expires")`,
    `create index if not exists "postern_record_provider" on ${name} ("provider", "providerSessionId")`,
    `create index if not exists "postern_record_expires" on ${name} ("expires")`
  ]
}

function createRevocations(revocations: Tables['posternRevocations']): readonly string[] {
  const name = quoted(revocations)
  return [
    `create table if not exists ${name} (
  "subject" text primary key not null,
  "version" integer not null,
  "until" integer not null,
  "noted" integer not null
)`,
    `create index if not exists "postern_revocation_noted" on ${name} ("noted")`,
    `create index if not exists "postern_revocation_until" on ${name} ("until")`
  ]
}

function createIndex<Field extends string>(
  table: Table & { readonly [F in Field]: SQLiteColumn },
  ...fields: readonly Field[]
): string {
  const name = ['postern', getTableName(table), ...fields].join('_')
  const columns = fields.map((field) => c(table[field])).join(', ')
  return `create index if not exists ${c({ name })} on ${quoted(table)} (${columns})`
}
