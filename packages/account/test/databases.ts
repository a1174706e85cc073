import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import mysql from 'mysql2/promise'
import pg from 'pg'
import root, { type Test } from 'tap'

const postgresUrl = 'postgres://root@127.0.0.1:5432/test'
const mysqlUrl = 'mysql://root@127.0.0.1:3306'

const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL'])

/** Why the tests of a server are skipped; `false` if it responds, or if nothing may be skipped. */
export async function withoutServer(name: string, port: number): Promise<string | false> {
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
  return isThere || isRequired ? false : `no ${name} at 127.0.0.1:${port}`
}

/** Creates, empties and drops databases, or schemas, of a server. */
interface Databases {
  readonly create: (name: string) => Promise<unknown>
  readonly empty: (name: string) => Promise<unknown>
  readonly drop: (name: string) => Promise<unknown>
}

/** What the adapters know of a database whose tables exist. */
const migrations = 'postern_migration'

/**
 * Lends each test an empty database. Another test receives it afterwards, without its rows: to create the tables takes most
 * of the time of a test. They are dropped at the end. A test that creates tables of its own gets a database for itself.
 */
function lend({ create, empty, drop }: Databases): (t: Test, hasOwnTables: boolean) => Promise<string> {
  const returned: string[] = []
  const createNext = async (): Promise<string> => {
    const name = `postern_${randomBytes(6).toString('hex')}`
    await create(name)
    root.teardown(() => drop(name))
    return name
  }
  return async (t, hasOwnTables) => {
    if (hasOwnTables) return createNext()
    const known = returned.pop()
    if (known !== undefined) await empty(known)
    const name = known ?? (await createNext())
    t.teardown(() => void returned.push(name))
    return name
  }
}

/** Opens one connection for all databases of a file, which ends after they are dropped. */
function connectOnce<T extends { end(): Promise<unknown> }>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    if (!opened) {
      const opening = open()
      opened = opening
      root.teardown(async () => (await opening).end())
    }
    return opened
  }
}

const getPostgresClient = connectOnce(async () => {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  return client
})

const getMysqlConnection = connectOnce(() => mysql.createConnection(mysqlUrl))

const lendSchema = lend({
  create: async (name) => (await getPostgresClient()).query(`create schema ${name}`),
  empty: async (name) => {
    const client = await getPostgresClient()
    const { rows } = await client.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = '${name}' and tablename <> '${migrations}'`
    )
    if (rows.length > 0) await client.query(rows.map(({ tablename }) => `delete from ${name}."${tablename}"`).join(';'))
  },
  drop: async (name) => (await getPostgresClient()).query(`drop schema ${name} cascade`)
})

const lendDatabase = lend({
  create: async (name) => (await getMysqlConnection()).query(`create database ${name}`),
  empty: async (name) => {
    const connection = await getMysqlConnection()
    const [rows] = await connection.query<(mysql.RowDataPacket & { readonly name: string })[]>(
      `select table_name as name from information_schema.tables where table_schema = '${name}' and table_name <> '${migrations}'`
    )
    await connection.query('set foreign_key_checks = 0')
    for (const { name: table } of rows) await connection.query(`delete from ${name}.\`${table}\``)
  },
  drop: async (name) => (await getMysqlConnection()).query(`drop database ${name}`)
})

/** A schema without rows, or without tables for a test that creates its own. @returns Its URL. */
export async function withPostgres(t: Test, hasOwnTables = false): Promise<string> {
  // A commit need not reach the disk: the server is not stopped.
  const options = `-c search_path=${await lendSchema(t, hasOwnTables)} -c synchronous_commit=off`
  return `${postgresUrl}?options=${encodeURIComponent(options)}`
}

/** A database without rows, or without tables for a test that creates its own. @returns Its URL. */
export const withMysql = async (t: Test, hasOwnTables = false): Promise<string> =>
  `${mysqlUrl}/${await lendDatabase(t, hasOwnTables)}`
