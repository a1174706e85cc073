import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import type mysql from 'mysql2/promise'
import type { Test } from 'tap'
import { createTestDatabase as createMysqlDatabase } from './drizzle/mysql/databases.ts'
import { createTestDatabase as createPostgresDatabase } from './drizzle/postgres/databases.ts'
import { mysql as mysqlServer, postgres as postgresServer, withServer } from './servers.ts'

export type Dialect = 'sqlite' | 'postgres' | 'mysql'

/** The options that every SQL adapter has. */
export interface RowOptions {
  readonly migrate?: boolean
  readonly tables?: { readonly users?: string; readonly accounts?: string; readonly sessions?: string }
}

type Opened = ReturnType<typeof sqliteAdapter>

/** A database with rows and tables of others. */
export interface StoredRows {
  readonly dialect: Dialect
  /** Runs SQL with double quotes around names. */
  readonly run: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Opens an adapter, which is closed after the test. */
  readonly open: (options?: RowOptions) => Opened
}

const quote = (sql: string): string => sql.replaceAll('"', '`')

function openSqlite(t: Test): StoredRows {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  return {
    dialect: 'sqlite',
    run: async (sql) => {
      if (!/^select/i.test(sql)) db.exec(sql)
      return /^select/i.test(sql) ? db.prepare<[], Record<string, unknown>>(sql).all() : []
    },
    open: (options = {}) => sqliteAdapter({ db, ...options })
  }
}

async function openPostgres(t: Test): Promise<StoredRows> {
  const { url, raw } = await createPostgresDatabase(t)
  return {
    dialect: 'postgres',
    run: async (sql) => (await raw.query<Record<string, unknown>>(sql)).rows ?? [],
    open: (options = {}) => {
      const adapter = postgresAdapter({ url, max: 4, ...options })
      t.teardown(() => adapter.close())
      return adapter
    }
  }
}

async function openMysql(t: Test): Promise<StoredRows> {
  const { url, raw } = await createMysqlDatabase(t)
  return {
    dialect: 'mysql',
    run: async (sql) => {
      const [rows] = await raw.query<mysql.RowDataPacket[]>(quote(sql))
      return Array.isArray(rows) ? rows : []
    },
    open: (options = {}) => {
      const adapter = mysqlAdapter({ url, max: 4, ...options })
      t.teardown(() => adapter.close())
      return adapter
    }
  }
}

/** Runs a test on an empty database of each dialect. */
export async function onEachDialect(t: Test, name: string, run: (t: Test, rows: StoredRows) => Promise<void>) {
  await t.test(`SQLite: ${name}`, async (t) => run(t, openSqlite(t)))
  await withServer(postgresServer, async (t) => t.test(name, async (t) => run(t, await openPostgres(t))), t)
  await withServer(mysqlServer, async (t) => t.test(name, async (t) => run(t, await openMysql(t))), t)
}
