import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Settings } from './settings.ts'

/** A database and a Redis prefix for one test. */
export interface Throwaway extends Pick<Settings, 'database' | 'redis' | 'prefix'> {
  readonly drop: () => Promise<void>
}

async function forget(address: string, prefix: string): Promise<void> {
  const redis = new Redis(address)
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 }))
    if (keys.length > 0) await redis.unlink(keys)
  redis.disconnect()
}

/** Creates a database for a test of several instances, on the local PostgreSQL and Redis. */
export async function makeThrowaway(): Promise<Throwaway> {
  const name = `postern_cluster_${randomBytes(6).toString('hex')}`
  const redis = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
  const prefix = `${name}:`
  const server = new pg.Client('postgres://postgres@127.0.0.1:5432/postgres')
  await server.connect()
  await server.query(`create database ${name}`)
  return {
    database: `postgres://postgres@127.0.0.1:5432/${name}`,
    redis,
    prefix,
    drop: async () => {
      await server.query(`drop database ${name} with (force)`)
      await server.end()
      await forget(redis, prefix)
    }
  }
}
