import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import type { Adapter } from '@postern/core'
import { createStatementGate, type StatementGate, withGate } from '@postern/testkit/statement-gate'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Test } from 'tap'
import { withMysql, withoutServer, withPostgres } from './databases.ts'

export const isolations = ['read committed', 'repeatable read'] as const

/** Two adapters on one database: the first one stops before a statement. */
export interface PairedDatabase {
  readonly gate: StatementGate
  readonly gated: Adapter
  readonly other: Adapter
  /** Whether the other one waits for a lock. */
  readonly isBlocked: () => Promise<boolean>
  /** The rows of a query. */
  readonly read: (query: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Keeps the rows of all tables under a name. */
  readonly keep: (name: string) => Promise<void>
  /** Brings them back. */
  readonly restore: (name: string) => Promise<void>
}

/** What differs between the servers. */
interface Dialect {
  readonly read: PairedDatabase['read']
  readonly listTables: string
  readonly quote: (name: string) => string
  readonly createLike: (copy: string, table: string) => string
  readonly insert: string
  /** Runs statements without foreign keys, in one request. */
  readonly change: (statements: readonly string[]) => Promise<unknown>
}

/** Copies of all tables beside them. */
function createCopies({ read, listTables, quote, createLike, insert, change }: Dialect) {
  const kept = new Set<string>()
  let tables: Promise<readonly string[]> | undefined
  const getTables = (): Promise<readonly string[]> => {
    tables ??= read(listTables).then((rows) => rows.map(({ name }) => String(name)))
    return tables
  }
  const copyOf = (name: string, table: string): string => quote(`kept_${name}_${table}`)
  const replace = (target: string, source: string): readonly string[] => [
    `delete from ${target}`,
    `insert into ${target} ${insert} select * from ${source}`
  ]
  return {
    keep: async (name: string): Promise<void> => {
      const all = await getTables()
      if (!kept.has(name)) await change(all.map((table) => createLike(copyOf(name, table), quote(table))))
      kept.add(name)
      await change(all.flatMap((table) => replace(copyOf(name, table), quote(table))))
    },
    restore: async (name: string): Promise<void> =>
      void (await change((await getTables()).flatMap((table) => replace(quote(table), copyOf(name, table)))))
  }
}

const withoutClose = (adapter: Adapter): Adapter => ({ ...adapter, close: () => undefined })

async function openPostgres(t: Test, isolation: string): Promise<PairedDatabase> {
  const url = await withPostgres(t, true)
  const level = encodeURIComponent(` -c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`)
  const open = (name: string): pg.Pool => {
    const pool = new pg.Pool({ connectionString: `${url}${level}&application_name=${name}`, max: 3 })
    t.teardown(() => pool.end())
    return pool
  }
  const gate = createStatementGate()
  const unique = `pairs${process.pid}${isolation.length}`
  const [first, second, raw] = [open('gated'), open(unique), open('raw')]
  const blocked = `select from pg_stat_activity where application_name = '${unique}' and wait_event_type = 'Lock'`
  const read: PairedDatabase['read'] = async (query) => (await raw.query(query)).rows
  return {
    gate,
    gated: withoutClose(postgresAdapter({ pool: withGate(first, gate) })),
    other: withoutClose(postgresAdapter({ pool: second })),
    isBlocked: async () => (await read(blocked)).length > 0,
    read,
    ...createCopies({
      read,
      listTables: `select tablename as name from pg_tables where schemaname = current_schema() and tablename <> 'postern_migration' and tablename not like 'kept%'`,
      quote: (name) => `"${name}"`,
      createLike: (copy, table) => `create table ${copy} (like ${table})`,
      insert: 'overriding system value',
      change: (statements) =>
        raw.query(['begin', 'set local session_replication_role = replica', ...statements, 'commit'].join(';'))
    })
  }
}

/** Whether a transaction waits for a lock. The table `innodb_trx` is stale while it is read often, and the status is not. */
async function hasLockWait(read: PairedDatabase['read']): Promise<boolean> {
  const [status] = await read('show engine innodb status')
  // Before the list of transactions stand the latest deadlock and the latest refusal of a foreign key, which are over.
  const [, ...transactions] = `${status?.['Status']}`.split('---TRANSACTION')
  const waiting = transactions.filter((text) => text.includes('LOCK WAIT'))
  const threads = waiting.map((text) => Number(/thread id (\d+)/.exec(text)?.[1]))
  if (threads.length === 0) return false
  const rows = await read('select id from information_schema.processlist where db = database()')
  return rows.some((row) => threads.includes(Number(row['id'])))
}

async function openMysql(t: Test, isolation: string): Promise<PairedDatabase> {
  const uri = await withMysql(t, true)
  const open = (): mysql.Pool => {
    const options = { connectionLimit: 3, charset: 'utf8mb4', supportBigNumbers: true, multipleStatements: true }
    const pool = mysql.createPool({ uri, ...options })
    pool.on('connection', (connection) => {
      connection.query(`set session transaction isolation level ${isolation}`)
    })
    t.teardown(() => pool.end())
    return pool
  }
  const gate = createStatementGate()
  const [first, second, raw] = [open(), open(), open()]
  const read: PairedDatabase['read'] = async (query) => (await raw.query<mysql.RowDataPacket[]>(query))[0]
  return {
    gate,
    gated: withoutClose(mysqlAdapter({ pool: withGate(first, gate) })),
    other: withoutClose(mysqlAdapter({ pool: second })),
    isBlocked: () => hasLockWait(read),
    read,
    ...createCopies({
      read,
      listTables: `select table_name as name from information_schema.tables where table_schema = database() and table_name <> 'postern_migration' and table_name not like 'kept%'`,
      quote: (name) => `\`${name}\``,
      createLike: (copy, table) => `create table ${copy} as select * from ${table} where false`,
      insert: '',
      change: (statements) => raw.query(['set foreign_key_checks = 0', 'begin', ...statements, 'commit'].join(';'))
    })
  }
}

/** With tables, which are kept as `empty`. */
function ready(open: (t: Test, isolation: string) => Promise<PairedDatabase>): typeof open {
  return async (t, isolation) => {
    const database = await open(t, isolation)
    // The first call creates the tables.
    for (const adapter of [database.gated, database.other]) await adapter.getUser?.('nobody')
    await database.keep('empty')
    return database
  }
}

/** Each server, and why its tests are skipped. */
export const servers: readonly (readonly [
  name: string,
  skip: string | false,
  open: (t: Test, isolation: string) => Promise<PairedDatabase>
])[] = [
  ['PostgreSQL', await withoutServer('PostgreSQL', 5432), ready(openPostgres)],
  ['MariaDB', await withoutServer('MariaDB', 3306), ready(openMysql)]
]
