import type { Revocation, RevocationStore } from '@postern/core'
import { checkRedis } from './check.ts'
import { createSend, type Send } from './client.ts'
import { grace } from './expiry.ts'
import type { RedisOptions } from './options.ts'

/** Deletes a number of revocations that expired before a time, and returns how many. */
const deletion = `
local function deleteExpired(before, limit)
  local ended = redis.call('zrangebyscore', KEYS[2], '-inf', '(' .. before, 'limit', 0, limit)
  for _, subject in ipairs(ended) do
    redis.call('zrem', KEYS[1], subject)
    redis.call('zrem', KEYS[2], subject)
  end
  return #ended
end`

/**
 * Records a revocation; both keys expire with the last revocation. One that names its version ends later than the one before, by a
 * millisecond at least: that shows that it was recorded, also if the version stays.
 *
 * Returns the version and the end that are recorded now, and the version before.
 */
const revoke = `${deletion}
local before = redis.call('zscore', KEYS[1], ARGV[1])
local ended = redis.call('zscore', KEYS[2], ARGV[1])
local version = math.max(tonumber(ARGV[2]), before and tonumber(before) + 1 or 0)
-- An end of all sessions names its version: it is recorded again with the same one.
if ARGV[4] then version = math.max(tonumber(ARGV[4]), before and tonumber(before) or 0) end
local text = string.format('%.0f', version)
local untilText = string.format('%.0f', math.max(tonumber(ARGV[3]), ended and tonumber(ended) + (ARGV[4] and 1 or 0) or 0))
redis.call('zadd', KEYS[1], text, ARGV[1])
redis.call('zadd', KEYS[2], untilText, ARGV[1])
deleteExpired(ARGV[2], 100)
local last = redis.call('zrevrange', KEYS[2], 0, 0, 'withscores')
local ends = string.format('%.0f', math.max(tonumber(last[2] or 0), tonumber(ARGV[2])) + ${grace})
redis.call('pexpireat', KEYS[1], ends)
redis.call('pexpireat', KEYS[2], ends)
return { text, untilText, before or '' }`

/** Takes a revocation back, unless another one has followed. */
const undo = `
local version = redis.call('zscore', KEYS[1], ARGV[1])
local ends = redis.call('zscore', KEYS[2], ARGV[1])
if not version or not ends or tonumber(version) ~= tonumber(ARGV[2]) or tonumber(ends) ~= tonumber(ARGV[3]) then return 0 end
if ARGV[4] ~= '' then redis.call('zadd', KEYS[1], ARGV[4], ARGV[1]) else redis.call('zrem', KEYS[1], ARGV[1]) end
return 1`

const deleteEnded = `${deletion}
return deleteExpired(ARGV[1], ARGV[2])`

/** Returns subject, version and expiry of each. */
const readScript = `
local function read(subjects)
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

const get = `${readScript}
return read(ARGV)`

const list = `${readScript}
return read(redis.call('zrangebyscore', KEYS[1], ARGV[1], '+inf', 'limit', 0, ARGV[2]))`

/**
 * Stores revocations of JWT sessions in Redis 6.2 or later, Valkey or a cluster of either, for applications whose users
 * are stored elsewhere, or not at all. Expired revocations are deleted with the next revocation.
 *
 * @throws ConfigError with every problem in the options.
 */
export function redisRevocations(options: RedisOptions): RevocationStore {
  checkRedis(options)
  const { client, prefix = 'postern:' } = options
  const { deleteEndedRevocations, raise, ...methods } = revocationMethods(createSend(client), prefix)
  return methods
}

/** The methods for revocations: one key has the versions of all subjects, another their expiries. */
export function revocationMethods(
  send: Send,
  prefix: string
): RevocationStore & {
  readonly deleteEndedRevocations: (before: Date, limit: number) => Promise<number>
  /**
   * Revokes the tokens of a subject with a lower version.
   *
   * @param version - By default, the next one.
   * @returns What takes it back, unless another revocation has followed.
   */
  readonly raise: (subject: string, version: number | undefined, until: Date) => Promise<() => Promise<unknown>>
} {
  // The hash tag in braces makes a cluster keep both keys on one node.
  const keys = [`${prefix}{revocations}:versions`, `${prefix}{revocations}:ends`] as const
  const run = (script: string, ...args: (string | number)[]): Promise<unknown> =>
    send('EVAL', script, 2, ...keys, ...args)
  const record = async (subject: string, until: Date, version: number | undefined): Promise<readonly string[]> => {
    const named = version === undefined ? [] : [version]
    const reported = await run(revoke, subject, Date.now(), until.getTime(), ...named)
    return Array.isArray(reported) ? reported.map(String) : []
  }
  return {
    revoke: async (subject, until, version) => Number((await record(subject, until, version))[0]),
    raise: async (subject, version, until) => {
      const recorded = await record(subject, until, version)
      const [raised = '', , before = ''] = recorded
      return async () => raised !== before && run(undo, subject, ...recorded)
    },
    getRevocations: async (subjects) =>
      subjects.length === 0 ? [] : toRevocations(await run(get, ...new Set(subjects))),
    listRevocations: async (since, limit) => toRevocations(await run(list, since.getTime(), limit)),
    deleteEndedRevocations: async (before, limit) => Number(await run(deleteEnded, before.getTime(), limit))
  }
}

function toRevocations(reported: unknown): readonly Revocation[] {
  const values = Array.isArray(reported) ? reported.map(String) : []
  return Array.from({ length: values.length / 3 }, (_, i) => ({
    subject: values[3 * i] ?? '',
    version: Number(values[3 * i + 1]),
    until: new Date(Number(values[3 * i + 2]))
  }))
}
