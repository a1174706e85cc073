import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Test } from 'tap'

const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL'])

/** Why the tests of a server are skipped; `false` if it responds, or if nothing may be skipped. */
async function withoutServer(name: string, port: number): Promise<string | false> {
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

/** Closes the connections before the database is dropped. */
function closing(t: Test, adapter: Adapter): Adapter {
  t.teardown(() => adapter.close?.())
  return adapter
}

/** A schema that is dropped after the test. */
async function openPostgres(t: Test): Promise<Adapter> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const options = `-c search_path=${name}`
  const server = 'postgres://root@127.0.0.1:5432/test'
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create schema ${name}`)
  t.teardown(async () => {
    await client.query(`drop schema ${name} cascade`)
    await client.end()
  })
  return closing(t, postgresAdapter({ url: `${server}?options=${encodeURIComponent(options)}` }))
}

/** A database that is dropped after the test. */
async function openMysql(t: Test): Promise<Adapter> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const server = 'mysql://root@127.0.0.1:3306'
  const root = await mysql.createConnection(server)
  await root.query(`create database ${name}`)
  t.teardown(async () => {
    await root.query(`drop database ${name}`)
    await root.end()
  })
  return closing(t, mysqlAdapter({ url: `${server}/${name}` }))
}

/** An adapter that makes one write after another. */
function withoutTransactions(): Adapter {
  const { transact: _, createUserWithAccount: _together, ...adapter } = memoryAdapter()
  return adapter
}

/** Every store, and why its tests are skipped. */
export const stores: readonly (readonly [name: string, skip: string | false, open: (t: Test) => Promise<Adapter>])[] = [
  ['memory', false, async () => memoryAdapter()],
  ['without transactions', false, async () => withoutTransactions()],
  ['SQLite', false, async () => sqliteAdapter({ file: ':memory:' })],
  ['PostgreSQL', await withoutServer('PostgreSQL', 5432), openPostgres],
  ['MariaDB', await withoutServer('MariaDB', 3306), openMysql]
]
