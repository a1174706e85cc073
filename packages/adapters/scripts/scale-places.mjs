// Databases with a given number of users, each with an account, a session and its record, for measure-scale.mjs.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toStored } from '../../core/dist/sessions/stored-token.js'
import { keyRing } from '../../core/dist/tokens/keys.js'

export const provider = 'demo'
export const secret = 'the secret of a measurement, 32 characters or more'
const keys = keyRing([secret], 'session token')
const batch = 5000
const day = 86_400_000

/** Keys that are spread over all of an index, and can be made again from a number. */
const spread = (what, number) => createHash('sha256').update(`${what} ${number}`).digest('hex').slice(0, 32)

export const userOf = (number) => spread('user', number)
export const accountOf = (number) => spread('account', number)
export const tokenOf = (number) => `${spread('token', number)}.tm8a00`
export const storedOf = (number) => toStored(tokenOf(number), keys, 'hashed')

async function rowsOf(number) {
  const [id, token] = [userOf(number), await storedOf(number)]
  const [now, expires] = [new Date(), new Date(Date.now() + 30 * day)]
  return {
    user: [id, `Person ${number}`, `person-${number}@example.com`, now, null],
    account: [
      id,
      'oidc',
      provider,
      accountOf(number),
      null,
      spread('access', number),
      1,
      'bearer',
      'openid',
      null,
      null
    ],
    session: [token, id, expires],
    postern_session: [
      spread('record', number),
      id,
      token,
      provider,
      null,
      'Mozilla/5.0',
      '192.0.2.1',
      now,
      now,
      expires
    ]
  }
}

async function* batches(count) {
  for (let from = 0; from < count; from += batch) {
    const numbers = Array.from({ length: Math.min(batch, count - from) }, (_, index) => from + index)
    yield await Promise.all(numbers.map(rowsOf))
  }
}

/** The tables, and the types of their columns. */
const types = {
  user: ['text', 'text', 'text', 'timestamp', 'text'],
  account: ['text', 'text', 'text', 'text', 'text', 'text', 'int', 'text', 'text', 'text', 'text'],
  session: ['text', 'text', 'timestamp'],
  postern_session: [...Array(7).fill('text'), 'timestamp', 'timestamp', 'timestamp']
}

async function openSqlite(count) {
  const { sqliteAdapter } = await import('../dist/drizzle/sqlite/index.js')
  const { default: Database } = await import('better-sqlite3')
  const folder = mkdtempSync(join(tmpdir(), 'postern-scale-'))
  const file = join(folder, 'app.db')
  await sqliteAdapter({ file }).close()
  const db = new Database(file)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -2000000'])
    db.pragma(pragma)
  const toDriver = (value) => (value instanceof Date ? value.getTime() : value)
  const inserts = Object.entries(types).map(([table, { length }]) => [
    table,
    db.prepare(`insert into "${table}" values (${Array(length).fill('?').join(', ')})`)
  ])
  db.exec('begin')
  for await (const people of batches(count)) {
    for (const person of people) for (const [table, insert] of inserts) insert.run(person[table].map(toDriver))
  }
  db.exec('commit')
  db.pragma('journal_mode = WAL')
  db.close()
  const adapter = sqliteAdapter({ file })
  const close = async () => {
    await adapter.close()
    rmSync(folder, { recursive: true })
  }
  return { adapter, size: statSync(file).size, serverTime: () => 0, close }
}

async function openPostgres(count) {
  const { postgresAdapter } = await import('../dist/drizzle/postgres/index.js')
  const { default: pg } = await import('pg')
  const server = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'
  const schema = `postern_${randomBytes(6).toString('hex')}`
  const options = `-c search_path=${schema}`
  const raw = new pg.Client({ connectionString: server, options })
  await raw.connect()
  await raw.query(`create schema ${schema}; set synchronous_commit = off; set session_replication_role = replica`)
  // One connection: the time of its process is what the server spends.
  const pool = new pg.Pool({ connectionString: server, options, max: 1, idleTimeoutMillis: 0 })
  const adapter = postgresAdapter({ pool })
  await adapter.ready()
  for (const table of ['account', 'session', 'user', 'postern_session'])
    await raw.query(`alter table "${table}" set unlogged`)
  const toDriver = (value) => (value instanceof Date ? value.toISOString() : value)
  for await (const people of batches(count)) {
    for (const [table, columns] of Object.entries(types)) {
      const lists = columns.map((_, index) => people.map((person) => toDriver(person[table][index])))
      const marks = columns.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
      await raw.query(`insert into "${table}" select * from unnest(${marks})`, lists)
    }
  }
  for (const table of Object.keys(types)) await raw.query(`alter table "${table}" set logged`)
  for (const table of Object.keys(types)) await raw.query(`vacuum analyze "${table}"`)
  const { rows } = await raw.query(
    'select sum(pg_total_relation_size(oid)) as size from pg_class where relnamespace = $1::regnamespace and relkind = $2',
    [schema, 'r']
  )
  const {
    rows: [{ pid }]
  } = await pool.query('select pg_backend_pid() as pid')
  const close = async () => {
    await adapter.close()
    await pool.end()
    await raw.query(`drop schema ${schema} cascade`)
    await raw.end()
  }
  const serverTime = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
  return { adapter, size: Number(rows[0].size), serverTime, close }
}

/** Opens a database: its adapter, its size in bytes, and the microseconds that the server's process has used. */
export const places = { sqlite: openSqlite, postgres: openPostgres }
