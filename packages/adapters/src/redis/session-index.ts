import type { Send } from './client.ts'
import { getEnd } from './expiry.ts'

/** Adds a name, removes expired ones, and makes the key expire with the last of them. */
const note = `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[3])
redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
local last = redis.call('zrevrange', KEYS[1], 0, 0, 'withscores')
redis.call('pexpireat', KEYS[1], string.format('%.0f', last[2]))`

/** Keys that contain the names of other keys, such as those of a user. */
export interface SessionIndex {
  readonly add: (key: string, name: string, expires: Date) => Promise<unknown>
  readonly drop: (key: string, names: readonly string[]) => Promise<void>
  readonly list: (key: string) => Promise<readonly string[]>
}

/** A value is written before its index entry, and deleted before it: an entry without a value is removed when found. */
export function createSessionIndex(send: Send): SessionIndex {
  return {
    add: (key, name, expires) => send('EVAL', note, 1, key, name, getEnd(expires), Date.now()),
    drop: async (key, names) => {
      if (names.length > 0) await send('ZREM', key, ...names)
    },
    list: async (key) => {
      const names = await send('ZRANGE', key, 0, -1)
      return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
    }
  }
}
