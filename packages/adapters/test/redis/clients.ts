import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { redis } from '../servers.ts'

/** A client, and a prefix that nobody has used, whose keys are gone after the test. */
export interface Place {
  readonly client: Redis
  readonly prefix: string
  readonly keys: () => Promise<string[]>
}

export async function newPlace(t: Test): Promise<Place> {
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
