import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import Database from 'better-sqlite3'
import mysql from 'mysql2'
import pg from 'pg'
import type { Test } from 'tap'
import { newMysqlPlace, newPlace } from './databases.ts'

/** What was asked of a database. */
export interface Asked {
  /** Statements, without those that only begin and end a transaction. */
  readonly statements: readonly string[]
  /** Transactions of several statements. */
  readonly transactions: number
}

/** An adapter on a real database that notes each statement which reaches it. */
export interface Counted {
  readonly adapter: Adapter
  /** @returns What `work` has asked. */
  readonly during: (work: () => Promise<unknown>) => Promise<Asked>
}

const begin = /^\s*(begin(?! not atomic)|start transaction)\b/i
const frame = /^\s*(begin(?! not atomic)|start transaction|set transaction|commit|rollback|savepoint|release)\b/i

function counted(adapter: Adapter, heard: string[]): Counted {
  return {
    adapter,
    during: async (work) => {
      heard.length = 0
      await work()
      const all = heard.splice(0)
      return {
        statements: all.filter((sql) => !frame.test(sql)),
        transactions: all.filter((sql) => begin.test(sql)).length
      }
    }
  }
}

/** SQLite tells each statement as it runs it. */
export function countedSqlite(t: Test): Counted {
  const heard: string[] = []
  const db = new Database(':memory:', { verbose: (sql) => void heard.push(String(sql)) })
  t.teardown(() => db.close())
  return counted(sqliteAdapter({ db }), heard)
}

/** The text of a statement, which drivers take alone or in an object. */
function textOf([first]: readonly unknown[]): string {
  if (typeof first !== 'object' || first === null) return String(first)
  return 'text' in first ? String(first.text) : 'sql' in first ? String(first.sql) : ''
}

/** Puts an ear at a connection. */
function listen(connection: { query: (...args: never[]) => unknown }, heard: string[]): void {
  connection.query = new Proxy(connection.query, {
    apply: (query, self, args) => {
      heard.push(textOf(args))
      return Reflect.apply(query, self, args)
    }
  })
}

/** PostgreSQL, with an ear at each connection of the pool. */
export async function countedPostgres(t: Test): Promise<Counted> {
  const heard: string[] = []
  const place = await newPlace(t)
  const pool = new pg.Pool({ connectionString: place.url() })
  t.teardown(() => pool.end())
  pool.on('connect', (client) => listen(client, heard))
  const adapter = postgresAdapter({ pool })
  await adapter.ready()
  return counted(adapter, heard)
}

/** MariaDB, in the same way. */
export async function countedMariadb(t: Test): Promise<Counted> {
  const heard: string[] = []
  const uri = await newMysqlPlace(t)
  const pool = mysql.createPool({ uri })
  t.teardown(() => pool.promise().end())
  pool.on('connection', (connection) => listen(connection, heard))
  const adapter = mysqlAdapter({ pool })
  await adapter.ready()
  return counted(adapter, heard)
}
