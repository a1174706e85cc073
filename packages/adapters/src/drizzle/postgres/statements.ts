import { eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Fit } from '../fit-columns.ts'
import { lazy } from '../lazy.ts'
import { unnamedPlaceholder } from '../placeholder.ts'
import { createReplace, toPrepared } from '../server-statements.ts'
import {
  type Changes,
  type Conditions,
  createQueries,
  isKey,
  type KeyedChanges,
  omitKey,
  type Query,
  type QueryBuilder,
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
  const changes = createChanges(db, fit)
  return {
    ...conditions,
    ...createQueries(createBuilder(db), isExactly),
    execute: async (query) => getRows(await db.execute(query)),
    ...changes,
    ...createReplace({ isExactly, ...changes }),
    ...createKeyedChanges(db)
  }
}

const conditions: Conditions = {
  isExactly: (column, text) => eq(column, text),
  isOneOf: (column, texts) => inArray(column, [...texts]),
  isAfter: ([first, second], [a, b]) => sql`(${first}, ${second}) > (${a}, ${b})`
}

const { isExactly } = conditions

function createBuilder(db: PostgresDatabase): QueryBuilder {
  return {
    build: <Row>({ fields, from, inner, left, where, orderBy = [], limit }: Query<PgTable, PgColumn>) => {
      const rows = db.select(fields).from(from).$dynamic()
      if (inner) rows.innerJoin(...inner)
      if (left) rows.leftJoin(...left)
      if (limit !== undefined) rows.limit(limit)
      return toPrepared<Row>(
        rows
          .where(where)
          .orderBy(...orderBy)
          .prepare(unnamedPlaceholder)
      )
    }
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
