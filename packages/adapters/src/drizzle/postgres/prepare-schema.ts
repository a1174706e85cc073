import { type Column, getTableColumns, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { DatabaseError } from '../../database-error.ts'
import { isObject } from '../../is-object.ts'
import { getRefusal } from '../driver-error.ts'
import type { Limit } from '../fit-columns.ts'
import { describeMissing, type Missing, missingColumn, missingTable, toWork } from '../migration.ts'
import type { ResolvedTables } from '../table-options.ts'
import type { PostgresDatabase } from './client.ts'
import { foundBy, madeAt } from './find-table.ts'
import { plansFor, quoted } from './migrations.ts'
import type { Tables } from './schema.ts'

/** The required schema. */
export interface RequiredSchema extends ResolvedTables<Tables> {
  readonly isMigrated: boolean
  /** Receives the limits of the columns. */
  readonly limits: Map<Column, Limit>
}

/** The SQLSTATE of a missing privilege. */
const insufficientPrivilege = '42501'

/** The id of the advisory lock that processes wait for at startup. */
const lock = 7_076_737_378

/** The table of applied migrations. */
const noted = '"postern_migration"'

/**
 * Migrates the schema and checks it.
 *
 * @throws DatabaseError if a table or a column is missing; it names each, and the migration.
 */
export async function prepareSchema(db: PostgresDatabase, required: RequiredSchema): Promise<void> {
  const before = await survey(db, required)
  const refusal = required.isMigrated
    ? await getRefusal(() => migrate(db, required, before), [insufficientPrivilege])
    : null
  const missing = before.length > 0 && required.isMigrated ? await survey(db, required) : before
  if (missing.length === 0) return
  const schema = { dialect: 'postgres', plans: plansFor() }
  const start = { isMigrated: required.isMigrated, refusal }
  throw new DatabaseError('Schema', `postgresAdapter: ${describeMissing(schema, missing, start)}`)
}

/** One statement, which is atomic even if a pooler assigns connections by statement. */
async function migrate(db: PostgresDatabase, required: RequiredSchema, missing: readonly Missing[]): Promise<void> {
  const state = { applied: await appliedVersions(db), missing }
  if (toWork(plansFor(), required, state).length === 0) return
  const { users } = required.tables
  const [id] = getRows(
    await db.execute(sql`
      select format_type(atttypid, atttypmod) as "type" from pg_attribute
      where attrelid = ${sql.raw(getTable(users, required))} and attname = ${users.id.name}`)
  )
  const plans = plansFor(typeof id?.['type'] === 'string' ? id['type'] : undefined)
  for (const { version, sql: text } of toWork(plans, required, state)) {
    await db.execute(
      sql.raw(`do $postern$ begin
perform pg_advisory_xact_lock(${lock});
if ${madeAt(noted)} is null then
create table if not exists "postern_migration" ("version" integer primary key not null);
end if;
${text}
insert into "postern_migration" ("version") values (${version}) on conflict do nothing;
end $postern$`)
    )
  }
}

async function appliedVersions(db: PostgresDatabase): Promise<readonly unknown[]> {
  const [found] = getRows(await db.execute(sql`select ${sql.raw(madeAt(noted))}::text as name`))
  if ((found?.['name'] ?? null) === null) return []
  return getRows(await db.execute(sql`select "version" from "postern_migration"`)).map(({ version }) => version)
}

/**
 * SQL for a table. A table that Postern creates is looked up where it is created. The application's own tables, and all
 * tables if migration is off, are those that statements find.
 */
function getTable(table: Tables[keyof Tables], { given, isMigrated }: RequiredSchema): string {
  const name = quoted(table)
  return isMigrated && !given.has(table) ? madeAt(name, getTableConfig(table)) : foundBy(name)
}

/** Records the limits of each column. @returns The missing tables and columns. */
async function survey(db: PostgresDatabase, required: RequiredSchema): Promise<readonly Missing[]> {
  const { tables, limits } = required
  const named = Object.values(tables).map((table) => ({ table, name: quoted(table) }))
  const rows = getRows(
    await db.execute(sql`
      select wanted.name as "table", attname as "column", typname as "type", atttypmod as "size"
      from (values ${sql.join(
        named.map(({ table, name }) => sql`(${name}::text, ${sql.raw(getTable(table, required))})`),
        sql`, `
      )}) as wanted(name, found)
      join pg_attribute on attrelid = wanted.found and attnum > 0 and not attisdropped
      join pg_type on pg_type.oid = atttypid`)
  )
  return named.flatMap(({ table, name }) => {
    const present = rows.filter((row) => row['table'] === name)
    if (present.length === 0) return [missingTable(table, name)]
    return Object.values(getTableColumns(table)).flatMap((column: Column) => {
      const row = present.find((row) => row['column'] === column.name)
      if (row) limits.set(column, getLimit(row))
      return row ? [] : [missingColumn(table, column.name, `${name}."${column.name}"`)]
    })
  })
}

function getLimit({ type, size }: Readonly<Record<string, unknown>>): Limit {
  const isSized = (type === 'varchar' || type === 'bpchar') && typeof size === 'number' && size > 4
  return {
    greatest: type === 'int2' ? 2 ** 15 - 1 : type === 'int4' ? 2 ** 31 - 1 : null,
    // PostgreSQL's `atttypmod` includes four bytes of overhead.
    characters: isSized ? size - 4 : null,
    bytes: null,
    lacking: null
  }
}

/** Drivers return the rows, or an object that contains them. */
function getRows(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  const rows = isObject(result) ? result.rows : result
  return Array.isArray(rows) ? rows : []
}
