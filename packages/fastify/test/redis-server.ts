import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { memoryAdapter } from '@postern/adapters/memory'
import { withRedisSessions } from '@postern/adapters/redis'
import type { Adapter, RateLimiter } from '@postern/core'
import { freePort } from '@postern/testkit'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Test } from 'tap'
import { limiterOn } from '../src/index.ts'

/** Why tests that break a separate server are skipped; `false` where nothing may be skipped. */
export const withoutProgram: string | false =
  spawnSync('redis-server', ['--version']).status === 0 || process.env['POSTERN_REQUIRE_ALL']
    ? false
    : 'no program redis-server'

/** A Redis of the test's own, and an application's way to it. */
export interface OwnRedis {
  /** A connection that does not use the application. */
  readonly admin: Redis
  readonly adapter: Adapter
  readonly limiter: RateLimiter
}

/** Tries until it holds; the test's own time is the limit. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20)
}

/** Starts a Redis that a test may break; it stops after the test. */
export async function startRedis(t: Test): Promise<OwnRedis> {
  const port = await freePort()
  const flags = ['--save', '', '--appendonly', 'no', '--enable-debug-command', 'local', '--dir', t.testdir({})]
  const server = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', ...flags], { stdio: 'ignore' })
  t.teardown(async () => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  })
  const connect = (): Redis => {
    const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 20 })
    redis.on('error', () => undefined)
    t.teardown(() => redis.disconnect())
    return redis
  }
  const [admin, client] = [connect(), connect()]
  await admin.ping()
  return {
    admin,
    adapter: withRedisSessions(memoryAdapter(), { client, prefix: 'sessions ' }),
    limiter: limiterOn(
      (rule) => new RateLimiterRedis({ storeClient: client, ...rule, keyPrefix: `limits ${rule.keyPrefix}` })
    )
  }
}
