import type { RunResult } from 'better-sqlite3'
import { and, eq, getTableColumns, inArray, is, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder, placeholders } from '../placeholder.ts'
import {
  type Changes,
  type Conditions,
  createQueries,
  isKey,
  type KeyedChanges,
  omitKey,
  type Prepared,
  type Query,
  type QueryBuilder,
  type Statements,
  toRows
} from '../statements.ts'
import { isInsertGenerated } from './generated-columns.ts'

type Key = Readonly<Record<string, SQLiteColumn>>

/** The values of some columns. */
type Fields = Record<string, unknown>

type Db = BaseSQLiteDatabase<'sync', RunResult>

/**
 * Creates the statements of SQLite, which have their results at once. Each is compiled once, except those without a fixed condition.
 *
 * Statements with `returning` use `all` and never `get`: better-sqlite3's `get` stops at the first row and does not report a failed
 * commit.
 */
export function createStatements(db: Db): Statements {
  return {
    ...conditions,
    ...createQueries(createBuilder(db), isExactly),
    execute: (query) => db.all(query),
    ...createChanges(db),
    replace: createReplace(db),
    ...createKeyedChanges(db)
  }
}

const conditions: Conditions = {
  isExactly: (column, text) => eq(column, is(text, Placeholder) ? stablePlaceholder(text.name) : text),
  isOneOf: (column, texts) => inArray(column, [...texts]),
  isAfter: ([first, second], [a, b]) => sql`(${first}, ${second}) > (${a}, ${b})`
}

const { isExactly } = conditions

/**
 * A named parameter of a prepared statement, whose changes do not matter to the plan.
 *
 * SQLite with extended statistics (`SQLITE_ENABLE_STAT4`, as in better-sqlite3) recompiles a join whenever a parameter
 * that is compared with a column changes, which takes longer than the query. It does not look into expressions; the
 * unary plus changes neither the value nor its type.
 */
export function stablePlaceholder(name: string): SQL {
  return sql`+${placeholder(name)}`
}

function toPrepared<Row>(statement: { all(values: Fields): unknown; get(values: Fields): unknown }): Prepared<Row> {
  return {
    all: (values) => toRows<Row>(statement.all(values)),
    first: (values) => toRows<Row>([statement.get(values)])[0] ?? null
  }
}

function createBuilder(db: Db): QueryBuilder {
  return {
    build: <Row>({ fields, from, inner, left, where, orderBy = [], limit }: Query<SQLiteTable, SQLiteColumn>) => {
      const rows = db.select(fields).from(from).$dynamic()
      if (inner) rows.innerJoin(...inner)
      if (left) rows.leftJoin(...left)
      if (limit !== undefined) rows.limit(limit)
      return toPrepared<Row>(
        rows
          .where(where)
          .orderBy(...orderBy)
          .prepare()
      )
    }
  }
}

function createChanges(db: Db): Omit<Changes, 'replace'> {
  return {
    insert: (table: SQLiteTable) => {
      const run = prepareWrite(table, (row) => db.insert(table).values(row).prepare())
      return (row, ...others) => {
        for (const each of [row, ...others]) run(each)
        return row
      }
    },
    insertNew: (table: SQLiteTable) => {
      const run = prepareWrite(table, (row) => db.insert(table).values(row).onConflictDoNothing().prepare())
      return (row) => run(row).changes > 0
    },
    upsert: (table: SQLiteTable, key: Key) => {
      const target = Object.values(key)
      const run = prepareWrite(table, (row) =>
        db
          .insert(table)
          .values(row)
          .onConflictDoUpdate({ target, set: omitKey(key, row) })
          .prepare()
      )
      return (row) => run(row)
    },
    update: (table: SQLiteTable, changes, where) =>
      db
        .update(table)
        .set({ ...changes })
        .where(where)
        .run().changes,
    delete: (table: SQLiteTable, by) => {
      const statement = lazy(() => db.delete(table).where(isKey(isExactly, by)).prepare())
      return (values) => statement().run(values)
    }
  }
}

function createReplace(db: Db): Changes['replace'] {
  return (table: SQLiteTable, key: Key, expected) => {
    const encode = createEncode(table)
    const toName = (field: string) => `expected ${field}`
    const areExpected = Object.entries(expected).map(
      ([field, column]) => sql`${column} is ${placeholder(toName(field))}`
    )
    const run = prepareWrite(table, (row) =>
      db
        .update(table)
        .set(omitKey(key, row))
        .where(and(isKey(isExactly, key), ...areExpected))
        .prepare()
    )
    return (row, values) => {
      const given = Object.entries(encode(values)).map(([field, value]) => [toName(field), value] as const)
      return run(row, Object.fromEntries(given)).changes === 1
    }
  }
}

interface Write {
  run(values: Fields): RunResult
}

/** Creates a statement with a parameter for each field of the first row. All rows have the same. */
function prepareWrite(table: SQLiteTable, prepare: (row: Record<string, SQL>) => Write) {
  const encode = createEncode(table)
  let kept: Write | null = null
  return (row: object, others: Fields = {}): RunResult => {
    const values: Fields = encode(row)
    const statement = kept ?? prepare(placeholders(values))
    if (!kept && !isInsertGenerated(table, Object.keys(values))) kept = statement
    return statement.run({ ...values, ...others })
  }
}

function createKeyedChanges(db: Db): KeyedChanges {
  const take = <Row>(table: SQLiteTable, key: Key) => {
    const statement = lazy(() => db.delete(table).where(isKey(isExactly, key)).returning().prepare())
    return (values: Fields) => toRows<Row>(statement().all(values))[0] ?? null
  }
  return {
    deleteOne: (table: SQLiteTable, key) => {
      const statement = lazy(() => db.delete(table).where(isKey(isExactly, key)).prepare())
      return (values) => statement().run(values).changes === 1
    },
    increment: (table: SQLiteTable, field, key) => {
      const { [field]: column } = getTableColumns(table)
      const statement = lazy(() =>
        db
          .update(table)
          .set({ [field]: sql`${column} + 1` })
          .where(isKey(isExactly, key))
          .returning({ value: sql<number>`${column}` })
          .prepare()
      )
      return (values) => statement().all(values)[0]?.value ?? null
    },
    take,
    takeFixed: take
  }
}
