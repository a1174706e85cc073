import { getTableConfig } from 'drizzle-orm/pg-core'
import { type Migration, type MigrationPlan, toMigrations } from '../migration.ts'
import { createEvents, createFactors } from './factor-tables.ts'
import { madeAt } from './find-table.ts'
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

/** The quoted name of a column. */
export const c = ({ name }: { readonly name: string }): string => `"${name.replaceAll('"', '""')}"`

/** The quoted name of a table, with its schema if it has one. */
export function quoted(table: Table): string {
  const { schema, name } = getTableConfig(table)
  return schema === undefined ? c({ name }) : `${c({ name: schema })}.${c({ name })}`
}

/** Adds the column for what features state about a session. */
const addSessionData: MigrationPlan<Tables> = {
  version: 5,
  name: '0005_session_data',
  statements: ({ posternSessions }) => [
    [posternSessions, `alter table ${quoted(posternSessions)} add column if not exists "data" text`, 'data']
  ]
}

/**
 * The migrations of the schema, in order.
 *
 * @param id - The type of user ids; an existing users table may have another type.
 */
export function plansFor(id: string = 'text'): readonly MigrationPlan<Tables>[] {
  return [
    {
      version: 1,
      name: '0001_tables',
      statements: ({ users, accounts, sessions, verificationTokens, posternLocks }) => [
        nonPartial(users, [createUsers(users)]),
        nonPartial(accounts, [createAccounts(accounts, users, id), createIndex(accounts, 'userId', accounts.userId)]),
        nonPartial(sessions, [
          createSessions(sessions, users, id),
          createIndex(sessions, 'userId_expires', sessions.userId, sessions.expires),
          createIndex(sessions, 'expires', sessions.expires)
        ]),
        nonPartial(verificationTokens, [
          createVerificationTokens(verificationTokens),
          createIndex(verificationTokens, 'expires', verificationTokens.expires)
        ]),
        nonPartial(posternLocks, [createLocks(posternLocks)])
      ]
    },
    {
      version: 2,
      name: '0002_records',
      statements: ({ posternSessions, posternRevocations }) => [
        nonPartial(posternSessions, createRecords(posternSessions)),
        nonPartial(posternRevocations, createRevocations(posternRevocations))
      ]
    },
    {
      version: 3,
      name: '0003_tickets',
      statements: ({ posternAccounts, posternTickets }) => [
        nonPartial(posternAccounts, createEvidence(quoted(posternAccounts))),
        nonPartial(posternTickets, createTickets(quoted(posternTickets)))
      ]
    },
    {
      version: 4,
      name: '0004_factors',
      statements: ({ posternFactors, posternEvents }) => [
        nonPartial(posternFactors, createFactors(quoted(posternFactors))),
        nonPartial(posternEvents, createEvents(quoted(posternEvents)))
      ]
    },
    addSessionData
  ]
}

/** The schema as SQL, in order; for applications that run migrations themselves and pass `migrate: false`. */
export const migrations: readonly Migration[] = toMigrations(plansFor(), {
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
  ${c(users.emailVerified)} timestamp,
  ${c(users.image)} text,
  constraint ${c({ name: users.email.uniqueName ?? 'user_email_unique' })} unique (${c(users.email)})
)`
}

function createAccounts(accounts: Tables['accounts'], users: Tables['users'], id: string): string {
  return `create table if not exists ${quoted(accounts)} (
  ${c(accounts.userId)} ${id} not null references ${quoted(users)} (${c(users.id)}) on delete cascade,
  ${c(accounts.type)} text not null,
  ${c(accounts.provider)} text not null,
  ${c(accounts.providerAccountId)} text not null,
  ${c(accounts.refresh_token)} text,
  ${c(accounts.access_token)} text,
  ${c(accounts.expires_at)} bigint,
  ${c(accounts.token_type)} text,
  ${c(accounts.scope)} text,
  ${c(accounts.id_token)} text,
  ${c(accounts.session_state)} text,
  primary key (${c(accounts.provider)}, ${c(accounts.providerAccountId)})
)`
}

function createSessions(sessions: Tables['sessions'], users: Tables['users'], id: string): string {
  return `create table if not exists ${quoted(sessions)} (
  ${c(sessions.sessionToken)} text primary key not null,
  ${c(sessions.userId)} ${id} not null references ${quoted(users)} (${c(users.id)}) on delete cascade,
  ${c(sessions.expires)} timestamp not null
)`
}

function createVerificationTokens(tokens: Tables['verificationTokens']): string {
  return `create table if not exists ${quoted(tokens)} (
  ${c(tokens.identifier)} text not null,
  ${c(tokens.token)} text not null,
  ${c(tokens.expires)} timestamp not null,
  primary key (${c(tokens.identifier)}, ${c(tokens.token)})
)`
}

function createLocks(locks: Tables['posternLocks']): string {
  return `create table if not exists ${quoted(locks)} (
  "key" text primary key not null,
  "owner" text not null,
  "until" bigint not null
)`
}

function createRecords(records: Tables['posternSessions']): readonly string[] {
  const name = quoted(records)
  return [
    `create table if not exists ${name} (
  "id" text primary key not null,
  "userId" text not null,
  "sessionToken" text constraint "postern_record_sessionToken" unique,
  "provider" text,
  "providerSessionId" text,
  "userAgent" text,
  "address" text,
  "createdAt" timestamp not null,
  "lastSeen" timestamp not null,
  "expires" timestamp not null
)`,
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
  "version" bigint not null,
  "until" timestamp not null,
  "noted" bigint not null
)`,
    `create index if not exists "postern_revocation_noted" on ${name} ("noted")`,
    `create index if not exists "postern_revocation_until" on ${name} ("until")`
  ]
}

function createIndex(table: Table, fields: string, ...columns: readonly { readonly name: string }[]): string {
  const name = c({ name: `postern_${getTableConfig(table).name}_${fields}` })
  return `create index if not exists ${name} on ${quoted(table)} (${columns.map(c).join(', ')})`
}

/** Creates a table with its indexes, unless it exists. Only the statements detect a concurrent creation. */
function nonPartial(table: Table, statements: readonly string[]): readonly [table: Table, sql: string] {
  const made = statements.map((statement) => `${statement};\n`).join('')
  return [table, `do $$ begin if ${madeAt(quoted(table), getTableConfig(table))} is null then\n${made}end if; end $$`]
}
