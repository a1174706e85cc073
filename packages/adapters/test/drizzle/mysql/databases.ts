import { randomBytes } from 'node:crypto'
import callbacks, { type PoolOptions } from 'mysql2'
import mysql from 'mysql2/promise'
import type { Test } from 'tap'
import { mysql as server } from '../../servers.ts'

/** `explain` with columns, which MySQL 9 replaces by a tree. MariaDB reads the comment as one. */
export const explain = 'explain /*!80032 format = traditional */'

/** An empty database: its URL, and a connection that does not use the adapter. */
export interface TestDatabase {
  readonly url: string
  readonly name: string
  readonly raw: mysql.Pool
}

/** Creates a database, which is dropped after the test. */
export async function createTestDatabase(t: Test): Promise<TestDatabase> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const root = await mysql.createConnection(server.url)
  await root.query(`create database ${name}`)
  const url = `${server.url}/${name}`
  const raw = mysql.createPool({ uri: url, connectionLimit: 2, multipleStatements: true })
  t.teardown(async () => {
    await raw.end()
    await root.query(`drop database ${name}`)
    await root.end()
  })
  return { url, name, raw }
}

/** Deletes every row, but not the versions of the migrations. */
async function empty({ raw }: TestDatabase): Promise<void> {
  const [tables] = await raw.query<mysql.RowDataPacket[]>(
    `select table_name as name from information_schema.tables
     where table_schema = database() and table_type = 'BASE TABLE' and table_name <> 'postern_migration'`
  )
  const deletions = tables.map((table) => `delete from \`${table['name']}\`;`)
  await raw.query(`set foreign_key_checks = 0; ${deletions.join(' ')} set foreign_key_checks = 1`)
}

/**
 * Creates databases that the tests in `parent` use one after the other, since creating tables takes longer than most tests.
 * They are emptied after each test: a test that leaves other tables or triggers creates a database of its own.
 *
 * @param tables - Statements that create tables before the first test.
 */
export function reuseDatabases(parent: Test, tables = ''): (t: Test) => Promise<TestDatabase> {
  const unused: TestDatabase[] = []
  const create = async (): Promise<TestDatabase> => {
    const database = await createTestDatabase(parent)
    if (tables) await database.raw.query(tables)
    return database
  }
  return async (t) => {
    const database = unused.pop() ?? (await create())
    t.teardown(async () => {
      await empty(database)
      unused.push(database)
    })
    return database
  }
}

/** Makes connections that the adapter opens in this test begin with these settings, as if they were the server's defaults. */
export function setDefaults(t: Test, settings: string): void {
  const { createPool } = callbacks
  t.intercept(callbacks, 'createPool', {
    value: (options: PoolOptions) => {
      const pool = createPool(options)
      pool.on('connection', (connection) => connection.query(`set session ${settings}`))
      return pool
    }
  })
}
