import { type Column, getTableColumns, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { DatabaseError } from '../../database-error.ts'
import { refusalOf } from '../driver-error.ts'
import type { Limit } from '../fit-columns.ts'
import { describeMissing, type Missing, missingColumn, missingTable, toWork } from '../migration.ts'
import type { ResolvedTables } from '../table-options.ts'
import type { PostgresDatabase } from './client.ts'
import { foundBy, madeAt, plansFor, quoted } from './migrations.ts'
import type { Tables } from './schema.ts'

/** What the schema is to be. */
export interface Wanted extends ResolvedTables<Tables> {
  readonly isMigrated: boolean
  /** Where to note how much the columns have room for. */
  readonly limits: Map<Column, Limit>
}

/** The SQLSTATE of what a role may not do. */
const insufficientPrivilege = '42501'

/** Processes that start at the same moment wait for each other by this number. */
const lock = 7_076_737_378

/** The table of the steps that were made. */
const noted = '"postern_migration"'

/**
 * Brings the schema up to date and looks it over.
 *
 * @throws DatabaseError where a table or a column is missing: it names each, and the migration.
 */
export async function prepareSchema(db: PostgresDatabase, wanted: Wanted): Promise<void> {
  const before = await survey(db, wanted)
  const refusal = wanted.isMigrated ? await refusalOf(() => migrate(db, wanted, before), [insufficientPrivilege]) : null
  const missing = before.length > 0 && wanted.isMigrated ? await survey(db, wanted) : before
  if (missing.length === 0) return
  const schema = { dialect: 'postgres', plans: plansFor() }
  const start = { isMigrated: wanted.isMigrated, refusal }
  throw new DatabaseError('Schema', `postgresAdapter: ${describeMissing(schema, missing, start)}`)
}

/** One statement, which takes effect as a whole: also where connections are shared out by statement. */
async function migrate(db: PostgresDatabase, wanted: Wanted, missing: readonly Missing[]): Promise<void> {
  const state = { applied: await appliedVersions(db), missing }
  if (toWork(plansFor(), wanted, state).length === 0) return
  const { users } = wanted.tables
  const [id] = rowsOf(
    await db.execute(sql`
      select format_type(atttypid, atttypmod) as "type" from pg_attribute
      where attrelid = ${sql.raw(tableOf(users, wanted))} and attname = ${users.id.name}`)
  )
  const plans = plansFor(typeof id?.['type'] === 'string' ? id['type'] : undefined)
  for (const { version, sql: text } of toWork(plans, wanted, state)) {
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
  const [found] = rowsOf(await db.execute(sql`select ${sql.raw(madeAt(noted))}::text as name`))
  if ((found?.['name'] ?? null) === null) return []
  return rowsOf(await db.execute(sql`select "version" from "postern_migration"`)).map(({ version }) => version)
}

/**
 * SQL of the table that is meant. Those that are made here are looked for where they are made. The application's own,
 * and all where nothing is made, are those that statements find.
 */
function tableOf(table: Tables[keyof Tables], { given, isMigrated }: Wanted): string {
  const name = quoted(table)
  return isMigrated && !given.has(table) ? madeAt(name, getTableConfig(table)) : foundBy(name)
}

/** Notes what each column has room for. @returns What is missing. */
async function survey(db: PostgresDatabase, wanted: Wanted): Promise<readonly Missing[]> {
  const { tables, limits } = wanted
  const named = Object.values(tables).map((table) => ({ table, name: quoted(table) }))
  const rows = rowsOf(
    await db.execute(sql`
      select wanted.name as "table", attname as "column", typname as "type", atttypmod as "size"
      from (values ${sql.join(
        named.map(({ table, name }) => sql`(${name}::text, ${sql.raw(tableOf(table, wanted))})`),
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
      if (row) limits.set(column, limitOf(row))
      return row ? [] : [missingColumn(table, `${name}."${column.name}"`)]
    })
  })
}

function limitOf({ type, size }: Readonly<Record<string, unknown>>): Limit {
  const isSized = (type === 'varchar' || type === 'bpchar') && typeof size === 'number' && size > 4
  return {
    greatest: type === 'int2' ? 2 ** 15 - 1 : type === 'int4' ? 2 ** 31 - 1 : null,
    // The size that PostgreSQL keeps counts four bytes of its own.
    characters: isSized ? size - 4 : null,
    bytes: null,
    lacking: null
  }
}

/** Drivers answer with the rows, or with an object that has them. */
function rowsOf(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  const rows = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : result
  return Array.isArray(rows) ? rows : []
}
