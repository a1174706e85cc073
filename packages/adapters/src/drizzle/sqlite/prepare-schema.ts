import { getTableColumns, getTableName } from 'drizzle-orm'
import { describeMissing, toSql } from '../migration.ts'
import type { ResolvedTables } from '../tables.ts'
import { plainEmail, plans, uniqueEmail } from './migrations.ts'
import type { Tables } from './schema.ts'
import type { SqliteClient } from './source.ts'

/** What the schema is to be. */
export interface Wanted extends ResolvedTables<Tables> {
  readonly isMigrated: boolean
}

/**
 * Brings the schema up to date and looks it over. Processes that start at the same moment wait for each other.
 *
 * @throws Error where a table or a column is missing: it names each, and the migration.
 */
export function prepareSchema(client: SqliteClient, wanted: Wanted): void {
  if (wanted.isMigrated) migrate(client, wanted)
  const missing = survey(client, wanted)
  if (missing.length > 0) throw new Error(`sqliteAdapter: ${describeMissing('sqlite', missing, plans)}`)
}

function migrate(client: SqliteClient, { tables, given }: Wanted): void {
  if (pending(client).length === 0) return
  const apply = client.transaction(() => {
    for (const plan of pending(client)) {
      client.exec(toSqlFor(client, tables, toSql(plan, tables, given)))
      client.exec('create table if not exists "postern_migration" ("version" integer primary key not null)')
      client.prepare('insert into "postern_migration" ("version") values (?)').run(plan.version)
    }
  })
  apply.immediate()
}

/**
 * A table of users that others made is not held to unique addresses now, which might not even be possible: it gets an
 * index of ours where it has none.
 */
function toSqlFor(client: SqliteClient, { users }: Tables, sql: string): string {
  const name = getTableName(users)
  if (!exists(client, name)) return sql
  const indexes = client.prepare(`
    select 1 from pragma_index_list(?) as list, pragma_index_info(list.name) as info
    where info.seqno = 0 and info.name = ?`)
  const hasIndex = indexes.get(name, users.email.name) !== undefined
  return sql.replace(`${uniqueEmail(users)};\n`, hasIndex ? '' : `${plainEmail(users)};\n`)
}

function survey(client: SqliteClient, { tables }: Wanted): readonly string[] {
  return Object.values(tables).flatMap((table) => {
    const name = getTableName(table)
    const present = client.prepare('select name from pragma_table_info(?)').all(name).map(nameOf)
    if (present.length === 0) return [`table "${name}"`]
    return Object.values(getTableColumns(table))
      .filter((column) => !present.includes(column.name))
      .map((column) => `column "${name}"."${column.name}"`)
  })
}

function pending(client: SqliteClient) {
  if (!exists(client, 'postern_migration')) return plans
  const applied = client.prepare('select version as name from "postern_migration"').all().map(nameOf)
  return plans.filter(({ version }) => !applied.includes(version))
}

function exists(client: SqliteClient, table: string): boolean {
  return client.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table) !== undefined
}

function nameOf(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'name' in row ? row.name : null
}
