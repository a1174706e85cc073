import { eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Fit } from '../fit-columns.ts'
import { lazy } from '../lazy.ts'
import { unnamedPlaceholder } from '../placeholder.ts'
import { deriveStatements } from '../server-statements.ts'
import {
  type Changes,
  type Conditions,
  isKey,
  type Join,
  type KeyedChanges,
  omitKey,
  type Queries,
  type Selection,
  type Statements,
  toRows
} from '../statements.ts'
import type { PostgresDatabase } from './client.ts'
import { getRows } from './read-columns.ts'

type Key = Readonly<Record<string, PgColumn>>

/** The values of some columns. */
type Fields = Record<string, unknown>

/** Creates the statements of PostgreSQL. */
export function createStatements(db: PostgresDatabase, fit: Fit): Statements {
  const [queries, changes] = [createQueries(db), createChanges(db, fit)]
  const own = { ...conditions, ...queries, ...changes, ...createKeyedChanges(db) }
  return { ...own, ...deriveStatements(own) }
}

const conditions: Conditions = {
  isExactly: (column, text) => eq(column, text),
  isOneOf: (column, texts) => inArray(column, [...texts]),
  isAfter: ([first, second], [a, b]) => sql`(${first}, ${second}) > (${a}, ${b})`
}

const { isExactly } = conditions

function createQueries(db: PostgresDatabase): Omit<Queries, 'find'> {
  const query = (table: PgTable, { fields, where, orderBy = [], limit }: Selection<PgColumn>) => {
    const rows = db
      .select(fields ?? getTableColumns(table))
      .from(table)
      .where(where)
      .orderBy(...orderBy)
    return limit === undefined ? rows : rows.limit(limit)
  }
  const joined = ({ fields, from, inner, left, where }: Join<PgTable, PgColumn>) => {
    const rows = db.select(fields).from(from).$dynamic()
    if (inner) rows.innerJoin(...inner)
    if (left) rows.leftJoin(...left)
    return rows.where(where).prepare(unnamedPlaceholder)
  }
  return {
    select: async (table: PgTable, selection: Selection<PgColumn>) => toRows(await query(table, selection)),
    selectFields: async (table: PgTable, selection: Selection<PgColumn>) => query(table, selection),
    prepare: (table: PgTable, selection: () => Selection<PgColumn>) => {
      const statement = lazy(() => query(table, selection()).prepare(unnamedPlaceholder))
      return async (values) => toRows(await statement().execute(values))
    },
    prepareJoin: <Row>(join: () => Join<PgTable, PgColumn>) => {
      const statement = lazy(() => joined(join()))
      const all = async (values: Fields) => toRows<Row>(await statement().execute(values))
      return { all, first: async (values) => (await all(values))[0] ?? null }
    },
    execute: async (query) => getRows(await db.execute(query))
  }
}

/** What a statement returns for each row that it wrote. */
const written = { written: sql<number>`1` }

function createChanges(db: PostgresDatabase, fit: Fit): Omit<Changes, 'replace'> {
  return {
    insert:
      (table: PgTable) =>
      async (row, ...others) => {
        await db.insert(table).values([row, ...others].map((row) => fit(table, { ...row })))
        return row
      },
    insertNew: (table: PgTable) => async (row) => {
      const values = fit(table, { ...row })
      const inserted = await db.insert(table).values(values).onConflictDoNothing().returning(written)
      return inserted.length > 0
    },
    upsert: (table: PgTable, key: Key) => async (row) => upsertRow(db, [table, key], fit(table, row)),
    update: async (table: PgTable, changes, where) =>
      (
        await db
          .update(table)
          .set(fit(table, { ...changes }))
          .where(where)
          .returning(written)
      ).length,
    delete: (table: PgTable, by) => async (values) => db.delete(table).where(isKey(isExactly, by, values))
  }
}

function createKeyedChanges(db: PostgresDatabase): KeyedChanges {
  const take = <Row>(table: PgTable, key: Key) => {
    const statement = lazy(() => db.delete(table).where(isKey(isExactly, key)).returning().prepare(unnamedPlaceholder))
    return async (values: Fields) => toRows<Row>(await statement().execute(values))[0] ?? null
  }
  return {
    deleteOne: (table: PgTable, key) => async (values) => {
      const isRow = isKey(isExactly, key, values)
      return (await db.delete(table).where(isRow).returning(written)).length === 1
    },
    increment: (table: PgTable, field, key) => {
      const { [field]: column } = getTableColumns(table)
      const statement = lazy(() =>
        db
          .update(table)
          .set({ [field]: sql`${column} + 1` })
          .where(isKey(isExactly, key))
          .returning({ value: sql<number>`${column}` })
          .prepare(unnamedPlaceholder)
      )
      return async (values) => (await statement().execute(values))[0]?.value ?? null
    },
    take,
    takeFixed: take
  }
}

/** The statement that inserts a row, or replaces the one with its key. */
export function upsertRow(
  db: Pick<PostgresDatabase, 'insert'>,
  [table, key]: readonly [table: PgTable, key: Key],
  row: object
) {
  const target = Object.values(key)
  return db
    .insert(table)
    .values({ ...row })
    .onConflictDoUpdate({ target, set: omitKey(key, { ...row }) })
}
