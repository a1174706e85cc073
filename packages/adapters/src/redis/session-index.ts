import type { Send } from './client.ts'
import { endOf } from './expiry.ts'

/** Adds a name, forgets those that are over, and lets the key last as long as the last of them. */
const note = `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[3])
redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
local last = redis.call('zrevrange', KEYS[1], 0, 0, 'withscores')
redis.call('pexpireat', KEYS[1], string.format('%.0f', last[2]))`

/** Keys that hold the names of other keys: what belongs to a user, say. */
export interface Notes {
  readonly add: (key: string, name: string, expires: Date) => Promise<unknown>
  readonly drop: (key: string, names: readonly string[]) => Promise<void>
  readonly list: (key: string) => Promise<readonly string[]>
}

/** What is noted is written before its note, and deleted before its note is: a note without it is dropped when met. */
export function createNotes(send: Send): Notes {
  return {
    add: (key, name, expires) => send('EVAL', note, 1, key, name, endOf(expires), Date.now()),
    drop: async (key, names) => {
      if (names.length > 0) await send('ZREM', key, ...names)
    },
    list: async (key) => {
      const names = await send('ZRANGE', key, 0, -1)
      return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
    }
  }
}
