import { getTableConfig } from 'drizzle-orm/mysql-core'
import { type Migration, type MigrationPlan, toMigrations } from '../migration.ts'
import { keys, options, type Server, sized, text } from './column-types.ts'
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
  sessionIdLength,
  sessions,
  subjectLength,
  type Tables,
  users,
  verificationTokens
} from './schema.ts'
import { createEvidence, createTickets } from './ticket-tables.ts'

type Table = Tables[keyof Tables]

/** A quoted name. */
export const c = ({ name }: { readonly name: string }): string => `\`${name.replaceAll('`', '``')}\``

/** The quoted name of a table, with its schema if it has one. */
export function quoted(table: Table): string {
  const { schema, name } = getTableConfig(table)
  return schema === undefined ? c({ name }) : `${c({ name: schema })}.${c({ name })}`
}

interface Types {
  readonly key: string
  readonly id: string
}

/** Adds the column for what features state about a session. */
const addSessionData: MigrationPlan<Tables> = {
  version: 5,
  name: '0005_session_data',
  statements: ({ posternSessions }) => [
    [posternSessions, `alter table ${quoted(posternSessions)} add column \`data\` ${text}`, 'data']
  ]
}

/**
 * The migrations of the schema, in order.
 *
 * @param id - The type of user ids; an existing users table may have another type.
 */
export function plansFor(server: Server, id: string = keys[server]): readonly MigrationPlan<Tables>[] {
  const key = keys[server]
  return [
    {
      version: 1,
      name: '0001_tables',
      statements: ({ users, accounts, sessions, verificationTokens, posternLocks }) => [
        [users, createUsers(users, key)],
        [accounts, createAccounts(accounts, users, { key, id })],
        [sessions, createSessions(sessions, users, { key, id })],
        [verificationTokens, createVerificationTokens(verificationTokens, key)],
        [
          posternLocks,
          `create table if not exists ${quoted(posternLocks)} (
  \`key\` ${key} not null primary key,
  \`owner\` ${key} not null,
  \`until\` bigint not null
) ${options}`
        ]
      ]
    },
    {
      version: 2,
      name: '0002_records',
      statements: ({ posternSessions, posternRevocations }) => [
        [posternSessions, createRecords(posternSessions, key)],
        [posternRevocations, createRevocations(posternRevocations, key)]
      ]
    },
    {
      version: 3,
      name: '0003_tickets',
      statements: ({ posternAccounts, posternTickets }) => [
        [posternAccounts, createEvidence(quoted(posternAccounts), key)],
        [posternTickets, createTickets(quoted(posternTickets), key)]
      ]
    },
    {
      version: 4,
      name: '0004_factors',
      statements: ({ posternFactors, posternEvents }) => [
        [posternFactors, createFactors(quoted(posternFactors), key)],
        [posternEvents, createEvents(quoted(posternEvents), key)]
      ]
    },
    addSessionData
  ]
}

const tables = {
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
}

/** The schema for MySQL as SQL, in order; for applications that run migrations themselves and pass `migrate: false`. */
export const migrations: readonly Migration[] = toMigrations(plansFor('mysql'), tables)

/**
 * The schema for MariaDB as SQL, in order; for applications that run migrations themselves and pass `migrate: false`.
 */
export const mariadbMigrations: readonly Migration[] = toMigrations(plansFor('mariadb'), tables)

function createUsers(users: Tables['users'], key: string): string {
  return `create table if not exists ${quoted(users)} (
  ${c(users.id)} ${key} not null primary key,
  ${c(users.name)} ${text},
  ${c(users.email)} ${key},
  ${c(users.emailVerified)} datetime(3),
  ${c(users.image)} ${text},
  constraint ${c({ name: users.email.uniqueName ?? 'user_email_unique' })} unique (${c(users.email)})
) ${options}`
}

function createAccounts(accounts: Tables['accounts'], users: Tables['users'], { key, id }: Types): string {
  return `create table if not exists ${quoted(accounts)} (
  ${c(accounts.userId)} ${id} not null,
  ${c(accounts.type)} ${key} not null,
  ${c(accounts.provider)} ${key} not null,
  ${c(accounts.providerAccountId)} ${key} not null,
  ${c(accounts.refresh_token)} ${text},
  ${c(accounts.access_token)} ${text},
  ${c(accounts.expires_at)} bigint,
  ${c(accounts.token_type)} ${text},
  ${c(accounts.scope)} ${text},
  ${c(accounts.id_token)} ${text},
  ${c(accounts.session_state)} ${text},
  primary key (${c(accounts.provider)}, ${c(accounts.providerAccountId)}),
  ${createIndex(accounts, 'userId', accounts.userId)},
  ${belongsTo(users, accounts)}
) ${options}`
}

/**
 * The foreign key uses the first index that begins with `userId`. If that index also contained `expires`, each extension of a
 * session would lock the row of its user.
 */
function createSessions(sessions: Tables['sessions'], users: Tables['users'], { key, id }: Types): string {
  return `create table if not exists ${quoted(sessions)} (
  ${c(sessions.sessionToken)} ${key} not null primary key,
  ${c(sessions.userId)} ${id} not null,
  ${c(sessions.expires)} datetime(3) not null,
  ${createIndex(sessions, 'expires', sessions.expires)},
  ${createIndex(sessions, 'userId', sessions.userId)},
  ${createIndex(sessions, 'userId_expires', sessions.userId, sessions.expires)},
  ${belongsTo(users, sessions)}
) ${options}`
}

function createVerificationTokens(tokens: Tables['verificationTokens'], key: string): string {
  return `create table if not exists ${quoted(tokens)} (
  ${c(tokens.identifier)} ${key} not null,
  ${c(tokens.token)} ${key} not null,
  ${c(tokens.expires)} datetime(3) not null,
  ${createIndex(tokens, 'expires', tokens.expires)},
  primary key (${c(tokens.identifier)}, ${c(tokens.token)})
) ${options}`
}

function createRecords(records: Tables['posternSessions'], key: string): string {
  return `create table if not exists ${quoted(records)} (
  \`id\` ${key} not null primary key,
  \`userId\` ${key} not null,
  \`sessionToken\` ${key},
  \`provider\` ${key},
  \`providerSessionId\` ${sized(key, sessionIdLength)},
  \`userAgent\` ${text},
  \`address\` ${text},
  \`createdAt\` datetime(3) not null,
  \`lastSeen\` datetime(3) not null,
  \`expires\` datetime(3) not null,
  constraint \`postern_record_sessionToken\` unique (\`sessionToken\`),
  index \`postern_record_userId_expires\` (\`userId\`, \`expires\`),
  index \`postern_record_provider\` (\`provider\`, \`providerSessionId\`),
  index \`postern_record_expires\` (\`expires\`)
) ${options}`
}

function createRevocations(revocations: Tables['posternRevocations'], key: string): string {
  return `create table if not exists ${quoted(revocations)} (
  \`subject\` ${sized(key, subjectLength)} not null primary key,
  \`version\` bigint not null,
  \`until\` datetime(3) not null,
  \`noted\` bigint not null,
  index \`postern_revocation_noted\` (\`noted\`),
  index \`postern_revocation_until\` (\`until\`)
) ${options}`
}

function belongsTo(users: Tables['users'], table: Tables['accounts'] | Tables['sessions']): string {
  return `foreign key (${c(table.userId)}) references ${quoted(users)} (${c(users.id)}) on delete cascade`
}

function createIndex(table: Table, fields: string, ...columns: readonly { readonly name: string }[]): string {
  const name = c({ name: `postern_${getTableConfig(table).name}_${fields}` })
  return `index ${name} (${columns.map(c).join(', ')})`
}
