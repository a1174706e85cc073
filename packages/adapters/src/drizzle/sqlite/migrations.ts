import { load } from '../load.ts'
import type { SqliteClient } from './client.ts'
import { accounts, posternLocks, sessions, users, verificationTokens } from './schema.ts'

const { getTableConfig }: typeof import('drizzle-orm/sqlite-core') = load('drizzle-orm/sqlite-core')

/** A step of the schema. */
export interface Migration {
  readonly version: number
  readonly sql: string
}

const uniqueEmail = 'create unique index if not exists "user_email_unique" on "user" ("email");'
const plainEmail = 'create index if not exists "postern_user_email" on "user" ("email");'

/** The schema as SQL, in order; for those who keep it themselves and pass `migrate: false`. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
create table if not exists "user" (
  "id" text primary key not null,
  "name" text,
  "email" text,
  "emailVerified" integer,
  "image" text
);
${uniqueEmail}
create table if not exists "account" (
  "userId" text not null references "user" ("id") on delete cascade,
  "type" text not null,
  "provider" text not null,
  "providerAccountId" text not null,
  "refresh_token" text,
  "access_token" text,
  "expires_at" integer,
  "token_type" text,
  "scope" text,
  "id_token" text,
  "session_state" text,
  primary key ("provider", "providerAccountId")
);
create index if not exists "postern_account_userId" on "account" ("userId");
create table if not exists "session" (
  "sessionToken" text primary key not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "expires" integer not null
);
create index if not exists "postern_session_userId" on "session" ("userId");
create table if not exists "verificationToken" (
  "identifier" text not null,
  "token" text not null,
  "expires" integer not null,
  primary key ("identifier", "token")
);
create table if not exists "postern_lock" (
  "key" text primary key not null,
  "owner" text not null,
  "until" integer not null
);`
  }
]

/** Brings the schema up to date. Processes that start at the same moment wait for each other. */
export function migrate(client: SqliteClient): void {
  if (pending(client).length === 0) return
  const apply = client.transaction(() => {
    for (const { version, sql } of pending(client)) {
      client.exec(toSqlFor(client, sql))
      client.exec('create table if not exists "postern_migration" ("version" integer primary key not null)')
      client.prepare('insert into "postern_migration" ("version") values (?)').run(version)
    }
  })
  apply.immediate()
}

/**
 * A table of users that others made is not held to unique addresses now, which might not even be possible: it gets an
 * index of ours where it has none.
 */
function toSqlFor(client: SqliteClient, sql: string): string {
  if (!exists(client, 'user')) return sql
  const indexes = client.prepare(`
    select 1 from pragma_index_list('user') as list, pragma_index_info(list.name) as info
    where info.seqno = 0 and info.name = 'email'`)
  return sql.replace(uniqueEmail, indexes.get() === undefined ? plainEmail : '')
}

/** @throws Error where a table or a column is missing: it names each. */
export function checkSchema(client: SqliteClient): void {
  const missing = [users, accounts, sessions, verificationTokens, posternLocks].flatMap((table) => {
    const { name, columns } = getTableConfig(table)
    const present = client.prepare('select name from pragma_table_info(?)').all(name).map(nameOf)
    if (present.length === 0) return [`table "${name}"`]
    return columns
      .filter((column) => !present.includes(column.name))
      .map((column) => `column "${name}"."${column.name}"`)
  })
  if (missing.length === 0) return
  throw new Error(
    `sqliteAdapter: expected the tables of Auth.js and postern_lock, but these are missing: ${missing.join(', ')}; ` +
      'missing tables are created unless migrate is false (their SQL is exported as migrations), tables that exist are never altered'
  )
}

function pending(client: SqliteClient): readonly Migration[] {
  if (!exists(client, 'postern_migration')) return migrations
  const applied = client.prepare('select version as name from "postern_migration"').all().map(nameOf)
  return migrations.filter(({ version }) => !applied.includes(version))
}

function exists(client: SqliteClient, table: string): boolean {
  return client.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table) !== undefined
}

function nameOf(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'name' in row ? row.name : null
}
