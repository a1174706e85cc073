import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import pg from 'pg'

/** An empty database of its own, on a server of this machine. */
export interface ScratchDatabase {
  /** The address for an adapter. */
  readonly url: string
  /** Removes it. */
  drop(): Promise<void>
}

/** The kinds of servers. */
export type ScratchStore = 'postgres' | 'mysql'
export const scratchStores: readonly ScratchStore[] = ['postgres', 'mysql']

const servers: Readonly<Record<ScratchStore, string>> = {
  postgres: process.env['DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test',
  mysql: process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306'
}

async function createSchema(name: string): Promise<ScratchDatabase> {
  const client = new pg.Client({ connectionString: servers.postgres })
  await client.connect()
  await client.query(`create schema ${name}`)
  const url = new URL(servers.postgres)
  url.searchParams.set('options', `-c search_path=${name}`)
  const drop = async (): Promise<void> => {
    await client.query(`drop schema ${name} cascade`)
    await client.end()
  }
  return { url: url.href, drop }
}

async function createDatabase(name: string): Promise<ScratchDatabase> {
  const connection = await mysql.createConnection(servers.mysql)
  await connection.query(`create database ${name}`)
  const url = new URL(servers.mysql)
  url.pathname = `/${name}`
  const drop = async (): Promise<void> => {
    await connection.query(`drop database ${name}`)
    await connection.end()
  }
  return { url: url.href, drop }
}

/** Creates a schema of PostgreSQL, or a database of MariaDB or MySQL. After an interrupted run, drop `postern_bench_…` manually. */
export function createScratchDatabase(store: ScratchStore): Promise<ScratchDatabase> {
  const name = `postern_bench_${randomBytes(6).toString('hex')}`
  return store === 'postgres' ? createSchema(name) : createDatabase(name)
}
