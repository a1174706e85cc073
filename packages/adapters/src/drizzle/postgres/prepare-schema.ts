import { type Column, getTableName, sql } from 'drizzle-orm'
import { DatabaseError } from '../../database-error.ts'
import { getRefusal } from '../driver-error.ts'
import type { Limit } from '../fit-columns.ts'
import { fitIds, type IdKind, type IdRules } from '../fit-ids.ts'
import { describeMissing, type Missing, toWork } from '../migration.ts'
import { addOwnColumns, findRequiredColumns } from '../own-columns.ts'
import { findMissing, noteLimits, type Survey } from '../stored-columns.ts'
import type { PostgresDatabase } from './client.ts'
import { fitDateTypes } from './date-types.ts'
import { madeAt } from './find-table.ts'
import { c, plansFor, quoted } from './migrations.ts'
import { createOwnColumn } from './own-columns.ts'
import { getRows, getTable, type PostgresColumn, type RequiredTables, readColumns } from './read-columns.ts'

/** The types that ids may have. */
const kinds: ReadonlyMap<string, IdKind> = new Map([
  ...['int2', 'int4', 'int8'].map((type) => [type, 'integer'] as const),
  ...['text', 'varchar', 'bpchar', 'citext', 'name'].map((type) => [type, 'text'] as const),
  ['uuid', 'uuid']
])

const ids: IdRules<PostgresColumn> = {
  of: 'postgresAdapter',
  getKind: ({ type }) => kinds.get(type) ?? null,
  comparesKinds: false
}

/** The required schema. */
export interface RequiredSchema extends RequiredTables {
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
 * @throws DatabaseError if a table or a column is missing; it names each, and the migration. Also if a column of dates
 * has a type that holds no instant.
 */
export async function prepareSchema(db: PostgresDatabase, required: RequiredSchema): Promise<void> {
  const before = await survey(db, required)
  const refusal = required.isMigrated
    ? await getRefusal(() => migrate(db, required, before.missing), [insufficientPrivilege])
    : null
  const { stored, missing } = before.missing.length > 0 && required.isMigrated ? await survey(db, required) : before
  if (missing.length === 0) {
    required.notes.unreadable = fitDateTypes(required, stored)
    required.notes.hasIntegerIds = fitIds(required, stored, ids)
    required.notes.unread = addOwnColumns(required, stored, createOwnColumn(getTableName(required.tables.users)))
    required.notes.required = findRequiredColumns(required, stored)
    return
  }
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

/** Reads the tables, and records the limits of each column. */
async function survey(db: PostgresDatabase, required: RequiredSchema): Promise<Survey<PostgresColumn>> {
  const { tables, limits } = required
  const stored = await readColumns(db, required)
  noteLimits(stored, limits)
  return { stored, missing: findMissing(Object.values(tables), stored, { table: quoted, column: c }) }
}
