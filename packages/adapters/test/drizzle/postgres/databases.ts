import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'

const server = 'postgres://root@127.0.0.1:5432/test'

/** An empty database: its URL, and a connection that does not use the adapter. */
export interface TestDatabase {
  readonly url: string
  readonly name: string
  readonly raw: pg.Pool
}

/** Creates a schema, which is dropped after the test. */
export async function createTestDatabase(t: Test): Promise<TestDatabase> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  // A commit need not reach the disk: the server is not stopped.
  const options = `-c search_path=${name} -c synchronous_commit=off`
  const url = `${server}?options=${encodeURIComponent(options)}&application_name=${name}`
  const raw = new pg.Pool({ connectionString: server, max: 2, options })
  raw.on('error', () => undefined)
  await raw.query(`create schema ${name}`)
  t.teardown(async () => {
    await raw.query(`drop schema ${name} cascade`)
    await raw.end()
  })
  return { url, name, raw }
}

/** Ends the connections of the adapter that are idle. @returns How many there were. */
export async function endIdle({ raw, name }: TestDatabase): Promise<number> {
  const { rowCount } = await raw.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and state = $2',
    [name, 'idle']
  )
  return rowCount ?? 0
}
