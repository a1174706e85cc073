import { and, eq, getTableColumns, gt, or, type SQL, sql } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { Fit } from '../fit-columns.ts'
import { lazy } from '../lazy.ts'
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
  type RowTable,
  type Statements,
  toRows,
  type Values
} from '../statements.ts'
import type { IsExactly } from './binary-compare.ts'
import type { MysqlClient, MysqlDatabase } from './client.ts'
import { errorClassifier } from './driver-errors.ts'
import { getRows } from './read-columns.ts'
import { getAffectedRows, getInsertId } from './results.ts'

type Key = Readonly<Record<string, MySqlColumn>>

type MysqlRows<Row> = MySqlTable & RowTable<Row>

interface Client extends Pick<MysqlClient, 'db' | 'transaction'> {
  readonly fit: Fit
  readonly isExactly: IsExactly
}

/** Creates the statements of MySQL and MariaDB. */
export function createStatements(client: Client): Statements {
  const { db, isExactly } = client
  const changes = createChanges(client)
  return {
    ...createConditions(client),
    ...createQueries(createBuilder(db), isExactly),
    execute: async (query) => getRows(db, query),
    ...changes,
    ...createReplace({ isExactly, ...changes }),
    ...createKeyedChanges(client)
  }
}

function createConditions({ isExactly }: Client): Conditions {
  return {
    isExactly,
    isOneOf: (column, texts) => or(...texts.map((text) => isExactly(column, text))),
    // A comparison of pairs would not use the index.
    isAfter: ([first, second], [a, b]) => or(gt(first, a), and(eq(first, a), gt(second, b)))
  }
}

function createBuilder(db: MysqlDatabase): QueryBuilder {
  return {
    build: <Row>({ fields, from, inner, left, where, orderBy = [], limit }: Query<MySqlTable, MySqlColumn>) => {
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

/** Changes rows. @returns The number of rows. */
async function update(
  db: MysqlDatabase,
  [table, changes]: readonly [table: MySqlTable, changes: object],
  where: SQL | undefined
): Promise<number> {
  return Number(
    getAffectedRows(
      await db
        .update(table)
        .set({ ...changes })
        .where(where)
    )
  )
}

function createChanges({ db, isExactly, fit }: Client): Omit<Changes, 'replace'> {
  return {
    insert:
      (table: MySqlTable) =>
      async (row, ...others) => {
        await db.insert(table).values([row, ...others].map((row) => fit(table, { ...row })))
        return row
      },
    insertNew: (table: MySqlTable) => async (row) => {
      try {
        await db.insert(table).values(fit(table, { ...row }))
        return true
      } catch (error) {
        if (errorClassifier.isDuplicate(error)) return false
        throw error
      }
    },
    // `on duplicate key update` would also replace a row with another unique value of this one, or with a key that the
    // collation treats as equal.
    upsert:
      (table: MySqlTable, key) =>
      async (given, isKnown = false) => {
        const row = fit(table, { ...given })
        const where = isKey(isExactly, key, row)
        const changes = omitKey(key, row)
        // A pool may count changed rows only: then the row is found by its key.
        if (isKnown && (await update(db, [table, changes], where)) > 0) return
        try {
          await db.insert(table).values(row)
        } catch (error) {
          if (!errorClassifier.isDuplicate(error)) throw error
          const found = await db.select({ found: sql`1` }).from(table).where(where).for('update')
          if (found.length === 0) throw error
          await update(db, [table, changes], where)
        }
      },
    update: (table: MySqlTable, changes, where) => update(db, [table, fit(table, changes)], where),
    delete: (table: MySqlTable, by) => async (values) => db.delete(table).where(isKey(isExactly, by, values))
  }
}

function createKeyedChanges({ db, transaction, isExactly }: Client): KeyedChanges {
  return {
    deleteOne: (table: MySqlTable, key) => async (values) =>
      getAffectedRows(await db.delete(table).where(isKey(isExactly, key, values))) === 1,
    // The server returns the new number as the last inserted id.
    increment: (table: MySqlTable, field, key) => async (values) => {
      const changes = { [field]: sql`last_insert_id(${getTableColumns(table)[field]} + 1)` }
      const isRow = isKey(isExactly, key, values)
      const result = await db.update(table).set(changes).where(isRow)
      return getAffectedRows(result) === 1 ? getInsertId(result) : null
    },
    // Locks the row before deleting it, so that the returned one has every change.
    take: <Row>(table: MysqlRows<Row>, key: Key) => {
      const from: MySqlTable = table
      return (values: Values) =>
        transaction(async (db) => {
          const isRow = isKey(isExactly, key, values)
          const [found] = toRows<Row>(await db.select().from(from).where(isRow).for('update'))
          if (found) await db.delete(from).where(isRow)
          return found ?? null
        })
    },
    // Of the callers that found it, the one whose statement deleted it receives it.
    takeFixed: <Row>(table: MysqlRows<Row>, key: Key) => {
      const from: MySqlTable = table
      const find = lazy(() => db.select().from(from).where(isKey(isExactly, key)).prepare())
      const remove = lazy(() => db.delete(from).where(isKey(isExactly, key)).prepare())
      return async (values: Values) => {
        const [found] = toRows<Row>(await find().execute({ ...values }))
        return found && getAffectedRows(await remove().execute({ ...values })) === 1 ? found : null
      }
    }
  }
}
