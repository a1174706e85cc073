import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import type { Test } from 'tap'
import { mysql as server } from '../../servers.ts'

/** A place that nobody has used: an address, and a way in beside the adapter. */
export interface Place {
  readonly url: string
  readonly name: string
  readonly raw: mysql.Pool
}

/** Makes a database of its own, gone after the test. */
export async function newPlace(t: Test): Promise<Place> {
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
