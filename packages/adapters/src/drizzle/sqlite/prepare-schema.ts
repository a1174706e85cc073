import { getTableName, type Table } from 'drizzle-orm'
import { isObject } from '../../is-object.ts'
import { fitIds, type IdRules } from '../fit-ids.ts'
import { describeMissing, toWork } from '../migration.ts'
import { addOwnColumns, findRequiredColumns } from '../own-columns.ts'
import { findMissing, type Survey } from '../stored-columns.ts'
import type { ResolvedTables } from '../table-options.ts'
import { fitDateTypes } from './date-types.ts'
import { plans } from './migrations.ts'
import { createOwnColumn } from './own-columns.ts'
import { quote } from './quote.ts'
import { readColumns, type SqliteColumn } from './read-columns.ts'
import type { Tables } from './schema.ts'
import type { SqliteClient } from './source.ts'

/** The types that ids may have. */
const ids: IdRules<SqliteColumn> = {
  of: 'sqliteAdapter',
  getKind: ({ type }) => (type.includes('int') ? 'integer' : 'text'),
  comparesKinds: true
}

/** The required schema. */
export interface RequiredSchema extends ResolvedTables<Tables> {
  readonly isMigrated: boolean
}

/**
 * Migrates the schema and checks it. Processes that start at the same moment wait for each other.
 *
 * @throws Error if a table or a column is missing; it names each, and the migration. Also if a column of dates contains
 * other values.
 */
export function prepareSchema(client: SqliteClient, required: RequiredSchema): void {
  const { isMigrated } = required
  if (isMigrated) migrate(client, required)
  const { stored, missing } = survey(client, required)
  if (missing.length === 0) {
    fitDateTypes(client, required, stored)
    required.notes.hasIntegerIds = fitIds(required, stored, ids)
    required.notes.unread = addOwnColumns(required, stored, createOwnColumn(getTableName(required.tables.users)))
    required.notes.required = findRequiredColumns(required, stored)
    return
  }
  const message = describeMissing({ dialect: 'sqlite', plans }, missing, { isMigrated, refusal: null })
  throw new Error(`sqliteAdapter: ${message}`)
}

function migrate(client: SqliteClient, required: RequiredSchema): void {
  const left = () => toWork(plans, required, { applied: applied(client), missing: survey(client, required).missing })
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

function survey(client: SqliteClient, { tables }: RequiredSchema): Survey<SqliteColumn> {
  const stored = readColumns(client, tables)
  const table = (table: Table) => quote(getTableName(table))
  return { stored, missing: findMissing(Object.values(tables), stored, { table, column: ({ name }) => quote(name) }) }
}

function applied(client: SqliteClient): readonly unknown[] {
  if (!exists(client, 'postern_migration')) return []
  return client.prepare('select version as name from "postern_migration"').all().map(getName)
}

function exists(client: SqliteClient, table: string): boolean {
  return client.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(table) !== undefined
}

function getName(row: unknown): unknown {
  return isObject(row) ? (row.name ?? null) : null
}
