import { randomBytes } from 'node:crypto'
import { postgresAdapter } from '@postern/adapters/postgres'
import { withRedisSessions } from '@postern/adapters/redis'
import type { Adapter, RateLimiter } from '@postern/core'
import { Redis } from 'ioredis'
import pg from 'pg'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { limiterOn } from '../../src/limiter.ts'
import { postgresPort } from '../databases.ts'

const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** What one instance has to itself: its connections, and what it remembers. */
export interface Backends {
  readonly adapter: Adapter
  readonly limiter: RateLimiter
  readonly close: () => Promise<void>
}

/** A schema of PostgreSQL, and a prefix in Redis, that no other test uses. */
export interface Environment {
  readonly name: string
}

interface Test {
  teardown(work: () => unknown): unknown
}

const getAddress = (options: string): string =>
  `postgres://root@127.0.0.1:${postgresPort}/test?options=${encodeURIComponent(options)}`

let shared: pg.Pool | null = null

function server(): pg.Pool {
  if (shared) return shared
  shared = new pg.Pool({ connectionString: getAddress(''), max: 1, allowExitOnIdle: true })
  shared.on('error', () => undefined)
  return shared
}

async function forget(redis: Redis, prefix: string): Promise<void> {
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1000)
    if (keys.length > 0) await redis.unlink(keys)
    cursor = next
  } while (cursor !== '0')
}

const realNow = Date.now
let dating = 0

/** The adapter in Redis dates what it revokes by the machine's clock, which here is that of the test. */
function dated(adapter: Adapter, now: () => number): Adapter {
  const by = <A extends readonly unknown[], R>(method: ((...args: A) => R) | undefined) =>
    method &&
    (async (...args: A): Promise<Awaited<R>> => {
      dating++
      Date.now = now
      try {
        return await method(...args)
      } finally {
        dating--
        if (dating === 0) Date.now = realNow
      }
    })
  const [revoke, transact, advanceUser] = [by(adapter.revoke), by(adapter.transact), by(adapter.advanceUser)]
  return { ...adapter, ...(revoke && { revoke }), ...(transact && { transact }), ...(advanceUser && { advanceUser }) }
}

const getPrefix = ({ name }: Environment): string => `${name}:`

function connect(): Redis {
  const redis = new Redis(redisUrl)
  redis.on('error', () => undefined)
  return redis
}

/** Makes a ground that no longer exists after the test. */
export async function createEnvironment(t: Test): Promise<Environment> {
  const environment: Environment = { name: `postern_${randomBytes(6).toString('hex')}` }
  await server().query(`create schema ${environment.name}`)
  t.teardown(() => server().query(`drop schema ${environment.name} cascade`))
  t.teardown(async () => {
    const redis = connect()
    await forget(redis, getPrefix(environment))
    redis.disconnect()
  })
  return environment
}

/** Opens an instance's own way to a ground, in whichever process it runs. */
export function openBackends(environment: Environment, now: () => number): Backends {
  const prefix = getPrefix(environment)
  const redis = connect()
  const users = postgresAdapter({ url: getAddress(`-c search_path=${environment.name}`), max: 4 })
  return {
    adapter: dated(withRedisSessions(users, { client: redis, prefix }), now),
    limiter: limiterOn(
      (rule) => new RateLimiterRedis({ storeClient: redis, ...rule, keyPrefix: prefix + rule.keyPrefix })
    ),
    close: async () => {
      await users.close()
      redis.disconnect()
    }
  }
}
