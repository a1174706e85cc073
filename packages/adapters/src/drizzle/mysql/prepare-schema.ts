import { type Column, getTableName, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/mysql-core'
import { DatabaseError } from '../../database-error.ts'
import { getRefusal } from '../driver-error.ts'
import { fitIds, type IdRules } from '../fit-ids.ts'
import { describeMissing, toWork, type Work } from '../migration.ts'
import { addOwnColumns, findRequiredColumns } from '../own-columns.ts'
import { findMissing, noteLimits, type Survey } from '../stored-columns.ts'
import type { ResolvedTables } from '../table-options.ts'
import { checkSettings } from './check-settings.ts'
import type { MysqlDatabase } from './client.ts'
import type { ColumnLimits } from './column-limits.ts'
import type { Server } from './column-types.ts'
import { fitDateTypes } from './date-types.ts'
import { c, plansFor, quoted } from './migrations.ts'
import { createOwnColumn } from './own-columns.ts'
import { getRows, type MysqlColumn, readColumns } from './read-columns.ts'
import type { Tables } from './schema.ts'
import { settings, timeZone } from './settings.ts'

/** The types that ids may have. */
const ids: IdRules<MysqlColumn> = {
  of: 'mysqlAdapter',
  getKind: ({ type }) => {
    if (/int$/.test(type)) return 'integer'
    return /char$|text$|^uuid$/.test(type) ? 'text' : null
  },
  comparesKinds: true
}

/** The required schema. */
export interface RequiredSchema extends ResolvedTables<Tables> {
  readonly isMigrated: boolean
  /** Receives the limits of the columns. */
  readonly rooms: Map<Column, ColumnLimits>
}

/** The codes of missing privileges, which are not an error if the schema is complete. */
const refusals = ['ER_TABLEACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_SPECIFIC_ACCESS_DENIED_ERROR']

/** Seconds that a process waits for another that is migrating. */
const lockTimeout = 60
const lock = sql`concat('postern ', left(sha2(database(), 256), 40))`

/**
 * Migrates the schema and checks it.
 *
 * @throws DatabaseError if a table or a column is missing; it names each, and the migration. Also if a column of dates
 * has a type that holds no instant, or if a setting has a value that the adapter cannot work with.
 */
export async function prepareSchema(db: MysqlDatabase, required: RequiredSchema): Promise<void> {
  await checkSettings(db, settings)
  const [about] = await getRows(db, sql`select version() as version`)
  const server = `${about?.['version']}`.includes('MariaDB') ? 'mariadb' : 'mysql'
  const { isMigrated } = required
  const refusal = isMigrated ? await getRefusal(() => migrate(db, server, required), refusals) : null
  const { stored, missing } = await survey(db, required)
  if (missing.length > 0) {
    const message = describeMissing({ dialect: server, plans: plansFor(server) }, missing, { isMigrated, refusal })
    throw new DatabaseError('Schema', `mysqlAdapter: ${message}`)
  }
  required.notes.hasIntegerIds = fitIds(required, stored, ids)
  required.notes.unread = addOwnColumns(required, stored, createOwnColumn(getTableName(required.tables.users)))
  required.notes.required = findRequiredColumns(required, stored)
  const { needsUtc, unreadable } = fitDateTypes(required, stored)
  required.notes.unreadable = unreadable
  if (needsUtc) await checkSettings(db, [timeZone])
}

async function migrate(db: MysqlDatabase, server: Server, required: RequiredSchema): Promise<void> {
  const left = async (id?: string) =>
    toWork(plansFor(server, id), required, {
      applied: await applied(db),
      missing: (await survey(db, required)).missing
    })
  if ((await left()).length === 0) return
  const [turn] = await getRows(db, sql`select get_lock(${lock}, ${lockTimeout}) as held`)
  if (Number(turn?.['held']) !== 1)
    throw new DatabaseError('Timeout', 'mysqlAdapter: expected another process to finish its migration')
  try {
    for (const work of await left(await typeOfId(db, required.tables))) await apply(db, work)
  } finally {
    await db.execute(sql`select release_lock(${lock})`)
  }
}

/** A foreign key must have the exact type of the referenced column, including its collation. */
async function typeOfId(db: MysqlDatabase, { users }: Tables): Promise<string | undefined> {
  const { schema, name } = getTableConfig(users)
  const [id] = await getRows(
    db,
    sql`select column_type as type, character_set_name as charset, collation_name as collation
      from information_schema.columns where table_schema = ${schema ?? sql`database()`}
      and lower(table_name) = ${name.toLowerCase()} and column_name = ${users.id.name}`
  )
  if (!id) return undefined
  const { type, charset, collation } = id
  return charset === null ? `${type}` : `${type} character set ${charset} collate ${collation}`
}

/** MySQL cannot create tables in a transaction, so another process may repeat each statement. */
async function apply(db: MysqlDatabase, { version, sql: text }: Work): Promise<void> {
  for (const statement of text.split(';\n').filter((part) => part !== '')) await db.execute(sql.raw(statement))
  if (!(await isNoted(db)))
    await db.execute(sql`create table if not exists postern_migration (version int not null primary key)`)
  if (!(await applied(db)).includes(version))
    await db.execute(sql`insert into postern_migration (version) values (${version})`)
}

async function applied(db: MysqlDatabase): Promise<readonly unknown[]> {
  if (!(await isNoted(db))) return []
  return (await getRows(db, sql`select version from postern_migration`)).map(({ version }) => version)
}

async function isNoted(db: MysqlDatabase): Promise<boolean> {
  const isThere = sql`select 1 from information_schema.tables
    where table_schema = database() and table_name = 'postern_migration'`
  return (await getRows(db, isThere)).length > 0
}

/** Reads the tables, and records the limits of each column. */
async function survey(db: MysqlDatabase, { tables, rooms }: RequiredSchema): Promise<Survey<MysqlColumn>> {
  const stored = await readColumns(db, tables)
  noteLimits(stored, rooms)
  return { stored, missing: findMissing(Object.values(tables), stored, { table: quoted, column: c }) }
}
