import { getTableColumns, getTableName } from 'drizzle-orm'
import { describeMissing, type Missing, missingColumn, missingTable, toWork } from '../migration.ts'
import type { ResolvedTables } from '../table-options.ts'
import { plans } from './migrations.ts'
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
  const { isMigrated } = wanted
  if (isMigrated) migrate(client, wanted)
  const missing = survey(client, wanted)
  if (missing.length === 0) return
  const told = describeMissing({ dialect: 'sqlite', plans }, missing, { isMigrated, refusal: null })
  throw new Error(`sqliteAdapter: ${told}`)
}

function migrate(client: SqliteClient, wanted: Wanted): void {
  const left = () => toWork(plans, wanted, { applied: applied(client), missing: survey(client, wanted) })
  if (left().length === 0) return
  const apply = client.transaction(() => {
    for (const { version, sql } of left()) {
      client.exec(sql)
      client.exec('create table if not exists "postern_migration" ("version" integer primary key not null)')
      client.prepare('insert or ignore into "postern_migration" ("version") values (?)').run(version)
    }
  })
  apply.immediate()
}

function survey(client: SqliteClient, { tables }: Wanted): readonly Missing[] {
  return Object.values(tables).flatMap((table) => {
    const name = getTableName(table)
    const present = client.prepare('select name from pragma_table_info(?)').all(name).map(nameOf)
    if (present.length === 0) return [missingTable(table, `"${name}"`)]
    return Object.values(getTableColumns(table))
      .filter((column) => !present.includes(column.name))
      .map((column) => missingColumn(table, `"${name}"."${column.name}"`))
  })
}

function applied(client: SqliteClient): readonly unknown[] {
  if (!exists(client, 'postern_migration')) return []
  return client.prepare('select version as name from "postern_migration"').all().map(nameOf)
}

function exists(client: SqliteClient, table: string): boolean {
  return client.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table) !== undefined
}

function nameOf(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'name' in row ? row.name : null
}
