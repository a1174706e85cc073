import type { Revocation, RevocationStore } from '@postern/core'
import { checkRedis } from './check.ts'
import { createSend, type Send } from './client.ts'
import { grace } from './expiry.ts'
import type { RedisOptions } from './options.ts'

/** Forgets so many that have ended before a moment, and gives their number. */
const forget = `
local function forget(before, most)
  local ended = redis.call('zrangebyscore', KEYS[2], '-inf', '(' .. before, 'limit', 0, most)
  for _, subject in ipairs(ended) do
    redis.call('zrem', KEYS[1], subject)
    redis.call('zrem', KEYS[2], subject)
  end
  return #ended
end`

/** Notes a revocation; both keys last as long as the last one does. */
const revoke = `${forget}
local before = redis.call('zscore', KEYS[1], ARGV[1])
local version = math.max(tonumber(ARGV[2]), before and tonumber(before) + 1 or 0)
local text = string.format('%.0f', version)
redis.call('zadd', KEYS[1], text, ARGV[1])
redis.call('zadd', KEYS[2], 'GT', ARGV[3], ARGV[1])
forget(ARGV[2], 100)
local last = redis.call('zrevrange', KEYS[2], 0, 0, 'withscores')
local ends = string.format('%.0f', math.max(tonumber(last[2] or 0), tonumber(ARGV[2])) + ${grace})
redis.call('pexpireat', KEYS[1], ends)
redis.call('pexpireat', KEYS[2], ends)
return text`

const deleteEnded = `${forget}
return forget(ARGV[1], ARGV[2])`

/** Gives subject, version and end of each. */
const tell = `
local function tell(subjects)
  local found = {}
  for _, subject in ipairs(subjects) do
    local version = redis.call('zscore', KEYS[1], subject)
    local ends = redis.call('zscore', KEYS[2], subject)
    if version and ends then
      for _, value in ipairs({ subject, version, ends }) do found[#found + 1] = value end
    end
  end
  return found
end`

const get = `${tell}
return tell(ARGV)`

const list = `${tell}
return tell(redis.call('zrangebyscore', KEYS[1], ARGV[1], '+inf', 'limit', 0, ARGV[2]))`

/**
 * Keeps revocations of signed tokens in Redis 6.2 or later, Valkey or a cluster of them: for applications whose users
 * are elsewhere, or nowhere. What has ended is forgotten at the next revocation.
 *
 * @throws ConfigError with every mistake in the options.
 */
export function redisRevocations(options: RedisOptions): RevocationStore {
  checkRedis(options)
  const { client, prefix = 'postern:' } = options
  const { deleteEndedRevocations, ...methods } = revocationMethods(createSend(client), prefix)
  return methods
}

/** The methods that concern revocations: a key with the versions of all subjects, and one with their ends. */
export function revocationMethods(
  send: Send,
  prefix: string
): RevocationStore & { readonly deleteEndedRevocations: (before: Date, most: number) => Promise<number> } {
  // What stands in braces makes a cluster keep both keys on one node.
  const keys = [`${prefix}{revocations}:versions`, `${prefix}{revocations}:ends`] as const
  const run = (script: string, ...args: (string | number)[]): Promise<unknown> =>
    send('EVAL', script, 2, ...keys, ...args)
  return {
    revoke: async (subject, until) => Number(await run(revoke, subject, Date.now(), until.getTime())),
    getRevocations: async (subjects) =>
      subjects.length === 0 ? [] : toRevocations(await run(get, ...new Set(subjects))),
    listRevocations: async (since, most) => toRevocations(await run(list, since.getTime(), most)),
    deleteEndedRevocations: async (before, most) => Number(await run(deleteEnded, before.getTime(), most))
  }
}

function toRevocations(told: unknown): readonly Revocation[] {
  const values = Array.isArray(told) ? told.map(String) : []
  return Array.from({ length: values.length / 3 }, (_, i) => ({
    subject: values[3 * i] ?? '',
    version: Number(values[3 * i + 1]),
    until: new Date(Number(values[3 * i + 2]))
  }))
}
