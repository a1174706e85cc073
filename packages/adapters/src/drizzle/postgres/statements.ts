import { eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { lazy } from '../lazy.ts'
import { unnamedPlaceholder } from '../placeholder.ts'
import {
  type Changes,
  type Conditions,
  isKey,
  type KeyedChanges,
  omitKey,
  type Queries,
  type Selection,
  type Statements,
  toRows
} from '../server/statements.ts'
import type { PostgresDatabase } from './client.ts'

type Key = Readonly<Record<string, PgColumn>>

/** The values of some columns. */
type Fields = Record<string, unknown>

/** Creates the statements of PostgreSQL. */
export function createStatements(db: PostgresDatabase): Statements {
  return { ...conditions, ...createQueries(db), ...createChanges(db), ...createKeyedChanges(db) }
}

const conditions: Conditions = {
  isExactly: (column, text) => eq(column, text),
  isOneOf: (column, texts) => inArray(column, [...texts]),
  hasText: eq,
  isAfter: ([first, second], [a, b]) => sql`(${first}, ${second}) > (${a}, ${b})`
}

const { isExactly } = conditions

function createQueries(db: PostgresDatabase): Queries {
  const selectFields = async (table: PgTable, fields: Key, { where, orderBy = [], limit }: Selection) => {
    const query = db
      .select(fields)
      .from(table)
      .where(where)
      .orderBy(...orderBy)
    return limit === undefined ? query : query.limit(limit)
  }
  return {
    selectFields,
    select: async (table: PgTable, selection) => toRows(await selectFields(table, getTableColumns(table), selection)),
    prepare: (table: PgTable, where) => {
      const statement = lazy(() => db.select().from(table).where(where()).prepare(unnamedPlaceholder))
      return async (values) => toRows(await statement().execute(values))
    }
  }
}

/** What a statement returns for each row that it wrote. */
const written = { written: sql<number>`1` }

function createChanges(db: PostgresDatabase): Changes {
  return {
    insert: async (table: PgTable, ...rows: Fields[]) => db.insert(table).values(rows),
    insertNew: async (table: PgTable, row: Fields) => {
      const inserted = await db.insert(table).values(row).onConflictDoNothing().returning(written)
      return inserted.length > 0
    },
    upsert: async (table: PgTable, key: Key, { row }) => upsertRow(db, [table, key], row),
    update: async (table: PgTable, changes: Fields, where) =>
      (await db.update(table).set(changes).where(where).returning(written)).length,
    delete: async (table: PgTable, where) => db.delete(table).where(where)
  }
}

function createKeyedChanges(db: PostgresDatabase): KeyedChanges {
  const prepareDelete = (table: PgTable, where: SQL | undefined) =>
    db.delete(table).where(where).returning().prepare(unnamedPlaceholder)
  return {
    deleteOne: async (table: PgTable, key, values) => {
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
    take: <Row>(table: PgTable, key: Key) => {
      const statement = lazy(() => prepareDelete(table, isKey(isExactly, key)))
      return async (values) => toRows<Row>(await statement().execute(values))[0] ?? null
    }
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
    .onConflictDoUpdate({ target, set: omitKey(key, row) })
}
