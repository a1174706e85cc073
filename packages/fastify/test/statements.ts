import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import Database from 'better-sqlite3'
import mysql from 'mysql2'
import pg from 'pg'
import type { Test } from 'tap'
import { createMysqlDatabase, createTestDatabase } from './databases.ts'

/** The recorded statements of a database. */
export interface StoreCalls {
  /** Statements, without those that only begin and end a transaction. */
  readonly statements: readonly string[]
  /** Transactions of several statements. */
  readonly transactions: number
}

/** An adapter on a real database that notes each statement which reaches it. */
export interface Counted {
  readonly adapter: Adapter
  /** @returns What `work` has asked. */
  readonly during: (work: () => Promise<unknown>) => Promise<StoreCalls>
}

const begin = /^\s*(begin(?! not atomic)|start transaction)\b/i
const transactionStatement =
  /^\s*(begin(?! not atomic)|start transaction|set transaction|commit|rollback|savepoint|release)\b/i

function counted(adapter: Adapter, statements: string[]): Counted {
  return {
    adapter,
    during: async (work) => {
      statements.length = 0
      await work()
      const all = statements.splice(0)
      return {
        statements: all.filter((sql) => !transactionStatement.test(sql)),
        transactions: all.filter((sql) => begin.test(sql)).length
      }
    }
  }
}

/** SQLite reports each statement when it runs. */
export function countedSqlite(t: Test): Counted {
  const statements: string[] = []
  const db = new Database(':memory:', { verbose: (sql) => void statements.push(String(sql)) })
  t.teardown(() => db.close())
  return counted(sqliteAdapter({ db }), statements)
}

/** The text of a statement, which drivers take alone or in an object. */
function getText([first]: readonly unknown[]): string {
  if (typeof first !== 'object' || first === null) return String(first)
  return 'text' in first ? String(first.text) : 'sql' in first ? String(first.sql) : ''
}

/** Puts an ear at a connection. */
function listen(connection: { query: (...args: never[]) => unknown }, statements: string[]): void {
  connection.query = new Proxy(connection.query, {
    apply: (query, self, args) => {
      statements.push(getText(args))
      return Reflect.apply(query, self, args)
    }
  })
}

/** PostgreSQL, with an ear at each connection of the pool. */
export async function countedPostgres(t: Test): Promise<Counted> {
  const statements: string[] = []
  const database = await createTestDatabase(t)
  const pool = new pg.Pool({ connectionString: database.url() })
  t.teardown(() => pool.end())
  pool.on('connect', (client) => listen(client, statements))
  const adapter = postgresAdapter({ pool })
  await adapter.ready()
  return counted(adapter, statements)
}

/** MariaDB, in the same way. */
export async function countedMariadb(t: Test): Promise<Counted> {
  const statements: string[] = []
  const uri = await createMysqlDatabase(t)
  const pool = mysql.createPool({ uri })
  t.teardown(() => pool.promise().end())
  pool.on('connection', (connection) => listen(connection, statements))
  const adapter = mysqlAdapter({ pool })
  await adapter.ready()
  return counted(adapter, statements)
}
