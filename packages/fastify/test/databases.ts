import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Test } from 'tap'

export const postgresPort = 5432
export const mysqlPort = 3306
export const redisPort = 6379

/** Why tests of a real server are skipped; `false` where it answers, or where nothing may be skipped. */
export async function withoutServer(name: string, port: number): Promise<string | false> {
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
  return isThere || process.env['POSTERN_REQUIRE_ALL'] ? false : `no ${name} at 127.0.0.1:${port}`
}

/** A schema of PostgreSQL that no one has used. */
export interface TestDatabase {
  readonly name: string
  /** Its address, through another port where there is a way that can be cut. */
  readonly url: (port?: number) => string
  /** A connection that does not use the adapter. */
  readonly raw: pg.Pool
}

/** Creates a schema, which is dropped after the test. */
export async function createTestDatabase(t: Test): Promise<TestDatabase> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  // A commit need not reach the disk: the server is not stopped.
  const options = `-c search_path=${name} -c synchronous_commit=off`
  const at = (port: number): string => `postgres://root@127.0.0.1:${port}/test`
  const raw = new pg.Pool({ connectionString: at(postgresPort), max: 2, options })
  raw.on('error', () => undefined)
  await raw.query(`create schema ${name}`)
  t.teardown(async () => {
    await raw.query(`drop schema ${name} cascade`)
    await raw.end()
  })
  const url = (port: number = postgresPort): string =>
    `${at(port)}?options=${encodeURIComponent(options)}&application_name=${name}`
  return { name, url, raw }
}

/** Creates a MySQL or MariaDB database, which is dropped after the test. @returns Its URL. */
export async function createMysqlDatabase(t: Test): Promise<string> {
  const name = `postern_${randomBytes(6).toString('hex')}`
  const server = `mysql://root@127.0.0.1:${mysqlPort}`
  const root = await mysql.createConnection(server)
  await root.query(`create database ${name}`)
  t.teardown(async () => {
    await root.query(`drop database ${name}`)
    await root.end()
  })
  return `${server}/${name}`
}

/** A client of Redis, and the start of keys that no one else has: they are deleted after the test. */
export function openRedis(
  t: Test,
  redis: Redis = new Redis(redisPort, '127.0.0.1')
): { readonly redis: Redis; readonly prefix: string } {
  const prefix = `postern-test-${randomUUID()}:`
  t.teardown(async () => {
    const keys = await redis.keys(`${prefix}*`)
    if (keys.length > 0) await redis.del(keys)
    redis.disconnect()
  })
  return { redis, prefix }
}
