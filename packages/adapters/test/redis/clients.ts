import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { redis } from '../servers.ts'

/** A client, and a prefix that no one has used, whose keys no longer exist after the test. */
export interface RedisDatabase {
  readonly client: Redis
  readonly prefix: string
  readonly keys: () => Promise<string[]>
}

export async function createTestDatabase(t: Test): Promise<RedisDatabase> {
  const client = new Redis(redis.url, { lazyConnect: true })
  await client.connect()
  const prefix = `postern_${randomBytes(6).toString('hex')}:`
  const keys = () => client.keys(`${prefix}*`)
  t.teardown(async () => {
    const left = await keys()
    if (left.length > 0) await client.del(...left)
    await client.quit()
  })
  return { client, prefix, keys }
}
