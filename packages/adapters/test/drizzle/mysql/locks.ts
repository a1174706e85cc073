import { setTimeout as delay } from 'node:timers/promises'
import mysql from 'mysql2'
import type { Test } from 'tap'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import type { Limits } from '../server-under-test.ts'
import type { TestDatabase } from './databases.ts'

/** Opens an adapter. */
export function open(t: Test, { url }: Pick<TestDatabase, 'url'>, limits: Limits = {}) {
  const adapter = mysqlAdapter({ url, ...limits })
  t.teardown(() => adapter.close())
  return adapter
}

/** The adapter's connections, by what they do. */
export async function getConnections({ raw, name }: TestDatabase, state: string): Promise<readonly number[]> {
  const [rows] = await raw.query<mysql.RowDataPacket[]>(
    'select id, command, state, info from information_schema.processlist where db = ? and id <> connection_id()',
    [name]
  )
  return rows
    .filter((row) => `${row['command']} ${row['state']} ${row['info']}`.includes(state))
    .map((row) => Number(row['id']))
}

/** A connection may have closed since it was listed. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'errno' in error && error.errno === 1094)) throw error
}

/** Ends the connections of the adapter that are idle. @returns How many there were. */
export async function endIdle(database: TestDatabase): Promise<number> {
  const ids = await getConnections(database, 'Sleep')
  for (const id of ids) await database.raw.query(`kill connection ${id}`).catch(unlessGone)
  return ids.length
}

/** Waits until the adapter waits for a lock that another user holds, on a connection that has not been ended. */
export async function blocked(database: TestDatabase, ended: Set<number> = new Set()): Promise<number> {
  for (;;) {
    const waiting = (await getConnections(database, 'Waiting for')).find((id) => !ended.has(id))
    if (waiting !== undefined) return waiting
    await delay(5)
  }
}

/** Ends the connection on which the adapter waits. */
export async function endBlocked(database: TestDatabase, ended: Set<number>): Promise<void> {
  const id = await blocked(database, ended)
  ended.add(id)
  await database.raw.query(`kill connection ${id}`)
}

/** Holds a lock while `work` runs, on a connection that is not counted as the adapter's. */
export async function whileLocked<T>(
  { url, name }: TestDatabase,
  table: string,
  work: (release: () => Promise<unknown>) => Promise<T>
) {
  const connection = mysql.createConnection({ uri: url.replace(name, 'test') }).promise()
  await connection.query(`lock tables ${name}.${table}`)
  try {
    return await work(() => connection.query('unlock tables'))
  } finally {
    await connection.end()
  }
}
