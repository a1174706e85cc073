import { and, eq, getTableColumns, gt, or, type SQL, sql } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import { lazy } from '../lazy.ts'
import {
  type Changes,
  isKey,
  type KeyedChanges,
  omitKey,
  type Queries,
  type RowTable,
  type Selection,
  type Statements,
  toRows
} from '../server/statements.ts'
import { getBytes, type IsExactly } from './binary-compare.ts'
import type { MysqlClient, MysqlDatabase } from './client.ts'
import { errorClassifier } from './driver-errors.ts'
import { getAffectedRows, getInsertId } from './results.ts'

type Key = Readonly<Record<string, MySqlColumn>>

/** The values of some columns. */
type Fields = Record<string, unknown>

type MysqlRows<Row> = MySqlTable & RowTable<Row>

type Client = Pick<MysqlClient, 'db' | 'transaction'>

/** Creates the statements of MySQL and MariaDB. */
export function createStatements(client: Client, isExactly: IsExactly): Statements {
  return {
    isExactly,
    isOneOf: (column, texts) => or(...texts.map((text) => isExactly(column, text))),
    hasText: (column, text) => sql`${getBytes(column)} = ${getBytes(text)}`,
    // A comparison of pairs would not use the index.
    isAfter: ([first, second], [a, b]) => or(gt(first, a), and(eq(first, a), gt(second, b))),
    ...createQueries(client),
    ...createChanges(client, isExactly),
    ...createKeyedChanges(client, isExactly)
  }
}

function createQueries({ db }: Client): Queries {
  const selectFields = async (table: MySqlTable, fields: Key, { where, orderBy = [], limit }: Selection) => {
    const query = db
      .select(fields)
      .from(table)
      .where(where)
      .orderBy(...orderBy)
    return limit === undefined ? query : query.limit(limit)
  }
  const prepareSelect = (table: MySqlTable, where: SQL | undefined) => db.select().from(table).where(where).prepare()
  return {
    selectFields,
    select: async <Row>(table: MysqlRows<Row>, selection: Selection) =>
      toRows<Row>(await selectFields(table, getTableColumns<MySqlTable>(table), selection)),
    prepare: <Row>(table: MysqlRows<Row>, where: () => SQL | undefined) => {
      const statement = lazy(() => prepareSelect(table, where()))
      return async (values) => toRows<Row>(await statement().execute(values))
    }
  }
}

/** Changes rows. @returns The number of rows. */
async function update(
  db: MysqlDatabase,
  [table, changes]: readonly [table: MySqlTable, changes: Fields],
  where: SQL | undefined
): Promise<number> {
  return Number(getAffectedRows(await db.update(table).set(changes).where(where)))
}

function createChanges({ db }: Client, isExactly: IsExactly): Changes {
  return {
    insert: async (table: MySqlTable, ...rows: Fields[]) => db.insert(table).values(rows),
    insertNew: async (table: MySqlTable, row: Fields) => {
      try {
        await db.insert(table).values(row)
        return true
      } catch (error) {
        if (errorClassifier.isDuplicate(error)) return false
        throw error
      }
    },
    // `on duplicate key update` would also replace a row with another unique value of this one, or with a key that the
    // collation treats as equal.
    upsert: async (table: MySqlTable, key, { row, isKnown = false }) => {
      const where = isKey(isExactly, key, { ...row })
      const changes = omitKey(key, row)
      // A pool may count changed rows only: then the row is found by its key.
      if (isKnown && (await update(db, [table, changes], where)) > 0) return
      try {
        await db.insert(table).values({ ...row })
      } catch (error) {
        if (!errorClassifier.isDuplicate(error)) throw error
        const found = await db.select({ found: sql`1` }).from(table).where(where).for('update')
        if (found.length === 0) throw error
        await update(db, [table, changes], where)
      }
    },
    update: (table: MySqlTable, changes: Fields, where) => update(db, [table, changes], where),
    delete: async (table: MySqlTable, where) => db.delete(table).where(where)
  }
}

function createKeyedChanges({ db, transaction }: Client, isExactly: IsExactly): KeyedChanges {
  return {
    deleteOne: async (table: MySqlTable, key, values) =>
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
      return (values) =>
        transaction(async (db) => {
          const isRow = isKey(isExactly, key, values)
          const [found] = toRows<Row>(await db.select().from(from).where(isRow).for('update'))
          if (found) await db.delete(from).where(isRow)
          return found ?? null
        })
    }
  }
}
