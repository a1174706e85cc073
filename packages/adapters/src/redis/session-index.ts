import type { Send } from './client.ts'
import { getEnd } from './expiry.ts'

/**
 * Adds a name or extends it, removes expired ones, and makes the key expire with the last of them. The clock is that of
 * Redis, which also expires the values: the clocks of applications may differ.
 */
const note = `
local time = redis.call('time')
redis.call('zremrangebyscore', KEYS[1], '-inf', string.format('%.0f', time[1] * 1000))
redis.call('zadd', KEYS[1], 'GT', ARGV[2], ARGV[1])
local last = redis.call('zrevrange', KEYS[1], 0, 0, 'withscores')
redis.call('pexpireat', KEYS[1], string.format('%.0f', last[2]))`

/** Keys that contain the names of other keys, such as those of a user. */
export interface SessionIndex {
  /** Adds a name. If it exists, it keeps the later expiry, so that a late command does not shorten it. */
  readonly add: (key: string, name: string, expires: Date) => Promise<unknown>
  readonly drop: (key: string, names: readonly string[]) => Promise<void>
  /**
   * Reads the values of the names, and drops names without a value.
   *
   * @param limit - The maximum number of names: those that expire last.
   */
  readonly read: <T>(key: string, get: (name: string) => Promise<T | null>, limit?: number) => Promise<FoundValues<T>>
}

/** The values of some names. */
interface FoundValues<T> {
  readonly found: readonly T[]
  /** The number of names, some of which may have no value. */
  readonly names: number
}

/**
 * Reads values that expire last, all without a limit. If names have no value, it reads more of them.
 *
 * @param read - Reads the values of at most `count` names; of all names if it is undefined.
 */
export async function readLatest<T>(
  limit: number | undefined,
  read: (count?: number) => Promise<FoundValues<T>>
): Promise<readonly T[]> {
  if (limit === undefined) return (await read()).found
  for (let count = limit; ; count *= 4) {
    const { found, names } = await read(count)
    if (found.length >= limit || names < count) return found.slice(0, limit)
  }
}

/**
 * An entry must not expire before its value: readers of the index would miss the value. So an entry is extended before
 * its value, and deleted after it. Readers remove an entry without a value, so the entry of a new value is written after
 * the value.
 */
export function createSessionIndex(send: Send): SessionIndex {
  const drop: SessionIndex['drop'] = async (key, names) => {
    if (names.length > 0) await send('ZREM', key, ...names)
  }
  return {
    add: (key, name, expires) => send('EVAL', note, 1, key, name, getEnd(expires)),
    drop,
    read: async (key, get, limit) => {
      const listed = await (limit === undefined ? send('ZRANGE', key, 0, -1) : send('ZREVRANGE', key, 0, limit - 1))
      const names = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : []
      const values = await Promise.all(names.map(get))
      const lost = names.filter((_, index) => values[index] === null)
      await drop(key, lost)
      return { found: values.filter((value) => value !== null), names: names.length }
    }
  }
}
