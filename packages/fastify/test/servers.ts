import { randomBytes } from 'node:crypto'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import type { Adapter } from '@postern/core'
import { type Rows, rowsBySql } from '@postern/testkit/consistency-checker'
import { createPool as mysqlPool } from 'mysql2'
import mysql from 'mysql2/promise'
import type { Test } from 'tap'
import { createTestDatabase as newSchema, postgresPort, withoutServer } from './databases.ts'

/** An adapter that opens its own connections. */
export interface OwnAdapter extends Adapter {
  readonly ready: () => Promise<void>
  readonly close: NonNullable<Adapter['close']>
}

export interface Limits {
  readonly max?: number
  readonly statementTimeout?: number
}

/** A part of a database server that no one has used. */
export interface TestDatabase {
  /** Opens an adapter, through another port where there is a way that can be cut. */
  readonly open: (port?: number, limits?: Limits) => OwnAdapter
  /** A connection that does not use the adapter. */
  readonly run: (sql: string) => Promise<unknown>
  readonly rows: () => Promise<Rows>
  /** Deletes every row, but not the versions of the migrations. */
  readonly empty: () => Promise<void>
  /** Ends every connection of the adapters. @returns How many there were. */
  readonly endConnections: () => Promise<number>
  /** Keeps everyone from the table of users, or from writing accounts, until it is released. */
  readonly hold: (title: 'users' | 'writes of accounts') => Promise<() => Promise<void>>
  /** Makes every new session meet a disk that is full, until it is emptied. */
  readonly fillDisk: () => Promise<() => Promise<unknown>>
  /** An adapter whose database can be made read-only. */
  readonly openReadOnly: (t: Test) => Promise<ReadOnly>
  /** An adapter whose transactions are serialisable. */
  readonly openSerializable: (t: Test) => OwnAdapter
}

export interface ReadOnly {
  readonly adapter: OwnAdapter
  readonly turn: (isReadOnly: boolean) => Promise<unknown>
}

/** A database server that the tests need. */
export interface DatabaseServer {
  readonly name: string
  readonly port: number
  readonly missing: string | false
  readonly createTestDatabase: (t: Test) => Promise<TestDatabase>
}

async function createPostgresDatabase(t: Test): Promise<TestDatabase> {
  const { raw, url, name } = await newSchema(t)
  return {
    open: (port, limits) => postgresAdapter({ url: url(port), ...limits }),
    run: (sql) => raw.query(sql),
    rows: () => rowsBySql(async (sql) => (await raw.query(sql)).rows),
    empty: async () => {
      const tables = await raw.query<{ readonly name: string }>(
        `select tablename as name from pg_tables
         where schemaname = current_schema() and tablename <> 'postern_migration'`
      )
      await raw.query(tables.rows.map((table) => `delete from "${table.name}"`).join(';'))
    },
    endConnections: async () => {
      const sql = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1'
      return (await raw.query(sql, [name])).rowCount ?? 0
    },
    hold: async (title) => {
      const client = await raw.connect()
      const lock = title === 'users' ? '"user" in access exclusive' : 'account in share row exclusive'
      await client.query(`begin; lock table ${lock} mode`)
      return async () => {
        await client.query('rollback')
        client.release()
      }
    },
    fillDisk: async () => {
      await raw.query(`create or replace function full_disk() returns trigger language plpgsql as $$ begin
          raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
        end $$;
        create trigger full_disk before insert on session for each row execute function full_disk()`)
      return () => raw.query('drop trigger full_disk on session')
    },
    openReadOnly: async (t) => {
      await raw.query(`create role ${name} login in role root`)
      t.teardown(() => raw.query(`drop role ${name}`))
      return {
        adapter: postgresAdapter({ url: url().replace('root@', `${name}@`) }),
        turn: async (isReadOnly) => {
          const setting = isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
          await raw.query(`alter role ${name} ${setting}`)
          await raw.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [name])
        }
      }
    },
    openSerializable: () =>
      postgresAdapter({
        url: url().replace(
          'options=',
          `options=${encodeURIComponent('-c default_transaction_isolation=serializable ')}`
        )
      })
  }
}

const mysqlServer = 'mysql://root@127.0.0.1'
const mysqlPort = 3306

async function createMysqlDatabase(t: Test): Promise<TestDatabase> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const root = await mysql.createConnection(`${mysqlServer}:${mysqlPort}`)
  await root.query(`create database ${name}`)
  const raw = mysql.createPool({ uri: `${mysqlServer}:${mysqlPort}/${name}`, connectionLimit: 1 })
  t.teardown(async () => {
    await raw.end()
    await root.query(`drop database ${name}`)
    await root.end()
  })
  const getRows = async (sql: string): Promise<readonly mysql.RowDataPacket[]> =>
    (await raw.query<mysql.RowDataPacket[]>(sql))[0]
  return {
    open: (port = mysqlPort, limits = {}) => mysqlAdapter({ url: `${mysqlServer}:${port}/${name}`, ...limits }),
    run: (sql) => raw.query(sql),
    rows: () => rowsBySql(getRows, '`'),
    empty: async () => {
      const tables = await getRows(
        `select table_name as name from information_schema.tables
         where table_schema = database() and table_name <> 'postern_migration'`
      )
      for (const table of tables) await raw.query(`delete from \`${table['name']}\``)
    },
    endConnections: async () => {
      const sql = `select id from information_schema.processlist where db = '${name}' and id <> connection_id()`
      const ids = (await getRows(sql)).map((row) => Number(row['id']))
      // A connection may have closed since it was listed.
      for (const id of ids) await raw.query(`kill connection ${id}`).catch(() => undefined)
      return ids.length
    },
    hold: async (title) => {
      const connection = await mysql.createConnection(`${mysqlServer}:${mysqlPort}/test`)
      await connection.query(`lock tables ${name}.${title === 'users' ? 'user write' : 'account read'}`)
      return () => connection.end()
    },
    fillDisk: async () => {
      await raw.query(`create trigger full_disk before insert on session for each row
        signal sqlstate 'HY000' set mysql_errno = 1021, message_text = 'Disk full (/var/lib/mysql); waiting'`)
      return () => raw.query('drop trigger full_disk')
    },
    openReadOnly: async (t) => {
      const pool = mysqlPool({ uri: `${mysqlServer}:${mysqlPort}/${name}`, connectionLimit: 1 })
      t.teardown(() => pool.promise().end())
      const turn = (isReadOnly: boolean): Promise<unknown> =>
        pool.promise().query(`set session transaction ${isReadOnly ? 'read only' : 'read write'}`)
      return { adapter: mysqlAdapter({ pool }), turn }
    },
    openSerializable: (t) => {
      const pool = mysqlPool({ uri: `${mysqlServer}:${mysqlPort}/${name}` })
      pool.on('connection', (connection) =>
        connection.query('set session transaction isolation level serializable', () => undefined)
      )
      t.teardown(() => pool.promise().end())
      return mysqlAdapter({ pool })
    }
  }
}

export const servers: readonly DatabaseServer[] = [
  {
    name: 'PostgreSQL',
    port: postgresPort,
    missing: await withoutServer('PostgreSQL', postgresPort),
    createTestDatabase: createPostgresDatabase
  },
  {
    name: 'MariaDB',
    port: mysqlPort,
    missing: await withoutServer('MariaDB', mysqlPort),
    createTestDatabase: createMysqlDatabase
  }
]

/**
 * Creates databases that the tests in `parent` use one after the other, since creating tables takes longer than most tests.
 * They are emptied after each test.
 */
export function reuseDatabases(parent: Test, server: DatabaseServer): (t: Test) => Promise<TestDatabase> {
  const unused: TestDatabase[] = []
  return async (t) => {
    const database = unused.pop() ?? (await server.createTestDatabase(parent))
    t.teardown(async () => {
      await database.empty()
      unused.push(database)
    })
    return database
  }
}
