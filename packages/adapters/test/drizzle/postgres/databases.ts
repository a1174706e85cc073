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

/** Creates a database of its own with an extension, which all schemas of a database share. It is dropped after the test. */
export async function createDatabaseWith(t: Test, extension: string): Promise<Pick<TestDatabase, 'url' | 'raw'>> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const root = new pg.Client({ connectionString: server })
  await root.connect()
  await root.query(`create database ${name}`)
  const url = server.replace(/\/test$/, `/${name}`)
  const raw = new pg.Pool({ connectionString: url, max: 1 })
  raw.on('error', () => undefined)
  t.teardown(async () => {
    await raw.end()
    await root.query(`drop database ${name} with (force)`)
    await root.end()
  })
  await raw.query(`create extension ${extension}`)
  return { url, raw }
}

/** Deletes every row, but not the versions of the migrations. */
async function empty({ raw }: TestDatabase): Promise<void> {
  const { rows } = await raw.query<{ readonly name: string }>(
    `select tablename as name from pg_tables
     where schemaname = current_schema() and tablename <> 'postern_migration'`
  )
  await raw.query(rows.map(({ name }) => `delete from "${name}"`).join(';'))
}

/**
 * Creates schemas that the tests in `parent` use one after the other, since creating tables takes longer than most tests.
 * They are emptied after each test: a test that leaves other tables or triggers creates a schema of its own.
 */
export function reuseDatabases(parent: Test): (t: Test) => Promise<TestDatabase> {
  const unused: TestDatabase[] = []
  let uses = 0
  return async (t) => {
    const database = unused.pop() ?? (await createTestDatabase(parent))
    t.teardown(async () => {
      await empty(database)
      unused.push(database)
    })
    // The server may still list connections of the test before.
    const name = `${database.name}_${uses++}`
    const url = database.url.replace(`application_name=${database.name}`, `application_name=${name}`)
    return { ...database, url, name }
  }
}

/** Ends the connections of the adapter that are idle. @returns How many there were. */
export async function endIdle({ raw, name }: TestDatabase): Promise<number> {
  const { rowCount } = await raw.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and state = $2',
    [name, 'idle']
  )
  return rowCount ?? 0
}
