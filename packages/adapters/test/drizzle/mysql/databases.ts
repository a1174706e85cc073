import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import type { Test } from 'tap'
import { mysql as server } from '../../servers.ts'

/** An empty database: its URL, and a connection that does not use the adapter. */
export interface TestDatabase {
  readonly url: string
  readonly name: string
  readonly raw: mysql.Pool
}

/** Creates a database, which is dropped after the test. */
export async function createTestDatabase(t: Test): Promise<TestDatabase> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const root = await mysql.createConnection(server.url)
  await root.query(`create database ${name}`)
  const url = `${server.url}/${name}`
  const raw = mysql.createPool({ uri: url, connectionLimit: 2, multipleStatements: true })
  t.teardown(async () => {
    await raw.end()
    await root.query(`drop database ${name}`)
    await root.end()
  })
  return { url, name, raw }
}
