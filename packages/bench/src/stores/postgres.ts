import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { postgresAdapter } from '@postern/adapters/postgres'
import pg from 'pg'
import { type Crowd, type Person, type TableName, tableNames, tables, type Value } from './crowd.ts'
import type { CrowdStore } from './store.ts'

/** A superuser's, on this machine: the CPU time of its processes is read from `/proc`. */
const server = process.env['DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test'

/** The same database with a schema of our own, and a name by which the server's connections are found. */
function getAddress(schema: string, name: string): string {
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  url.searchParams.set('application_name', name)
  return url.href
}

function toDriver(value: Value | undefined): string | number | null {
  return value instanceof Date ? value.toISOString() : (value ?? null)
}

/** All rows of a table in one statement: a list for each column. */
function toInsert(table: TableName, people: readonly Person[]): { readonly text: string; readonly values: unknown[] } {
  const columns = Object.entries(tables[table])
  const names = columns.map(([column]) => `"${column}"`).join(', ')
  const lists = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
  return {
    text: `insert into "${table}" (${names}) select * from unnest(${lists})`,
    values: columns.map((_, index) => people.map((person) => toDriver(person[table][index])))
  }
}

async function getNumber(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await client.query<Record<string, unknown>>(text, [...values])
  return Number(Object.values(rows[0] ?? {})[0])
}

/** Writes everybody, and leaves the tables as a database has them that has been at rest for a while. */
async function fill(client: pg.Client, crowd: Crowd): Promise<void> {
  await client.query('set synchronous_commit = off; set session_replication_role = replica')
  // A table that refers to a logged one cannot be logged before it: `user` is the last to change and the first to change back.
  for (const table of tableNames.toReversed()) await client.query(`alter table "${table}" set unlogged`)
  for await (const people of crowd.batches()) {
    for (const table of tableNames) await client.query(toInsert(table, people))
  }
  for (const table of tableNames) await client.query(`alter table "${table}" set logged`)
  for (const table of tableNames) await client.query(`vacuum analyze "${table}"`)
  await client.query('checkpoint')
}

/** Microseconds that a process has run, of the operating system's accounting. */
function getTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
}

/** Writes a crowd into a schema of its own. */
export async function fillPostgres(crowd: Crowd): Promise<CrowdStore> {
  const schema = `postern_bench_${randomBytes(6).toString('hex')}`
  const url = getAddress(schema, schema)
  const client = new pg.Client({ connectionString: getAddress(schema, 'postern bench') })
  await client.connect()
  await client.query(`create schema ${schema}`)
  const close = async (): Promise<void> => {
    await client.query(`drop schema ${schema} cascade`)
    await client.end()
  }
  try {
    const adapter = postgresAdapter({ url })
    await adapter.ready()
    await adapter.close()
    await fill(client, crowd)
    const size =
      'select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = $1::regnamespace and relkind = $2'
    return {
      place: { postgres: url },
      bytes: await getNumber(client, size, [schema, 'r']),
      backendTime: async () => {
        const mine = 'select pid from pg_stat_activity where application_name = $1'
        const { rows } = await client.query<{ pid: number }>(mine, [schema])
        return rows.reduce((sum, { pid }) => sum + getTime(pid), 0)
      },
      countUsers: () => getNumber(client, 'select count(*) from "user"'),
      close
    }
  } catch (error) {
    await close()
    throw error
  }
}
