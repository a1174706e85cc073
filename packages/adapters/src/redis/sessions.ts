import type { Adapter, AdapterSession } from '@postern/core'
import { toSessionPatch } from '../drizzle/rows.ts'
import { DuplicateError } from '../duplicate-error.ts'
import type { Send } from './client.ts'
import { endOf, grace } from './expiry.ts'

/** A session as it is kept under its key. */
interface Kept {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

type SessionMethods = Required<
  Pick<Adapter, 'createSession' | 'updateSession' | 'deleteSession' | 'listSessions' | 'deleteSessions'>
> & { readonly getSession: (sessionToken: string) => Promise<AdapterSession | null> }

/** Changes the given fields of a session that is there. */
const update = `
local kept = redis.call('get', KEYS[1])
if not kept then return nil end
local row = cjson.decode(kept)
for field, value in pairs(cjson.decode(ARGV[1])) do row[field] = value end
local after = cjson.encode(row)
local ends = math.max(row.expires, tonumber(ARGV[2])) + ${grace}
redis.call('set', KEYS[1], after, 'PXAT', string.format('%.0f', ends))
return after`

/** Notes a session of a user, forgets those that are over, and lets the note last as long as the last of them. */
const note = `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[3])
redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
local last = redis.call('zrevrange', KEYS[1], 0, 0, 'withscores')
redis.call('pexpireat', KEYS[1], string.format('%.0f', last[2]))`

/**
 * The methods that concern sessions: a key for each session, and for each user a key with the tokens of theirs.
 *
 * A session is written before it is noted, and deleted before the note is. What is interrupted in between leaves a note
 * without a session, which is dropped when it is met, or a session whose token nobody has been given.
 */
export function sessionMethods(send: Send, prefix: string): SessionMethods {
  const keyOf = (sessionToken: string): string => `${prefix}session:${sessionToken}`
  const notesOf = (userId: string): string => `${prefix}sessions:${userId}`
  const getSession = async (sessionToken: string): Promise<AdapterSession | null> =>
    toSession(sessionToken, await send('GET', keyOf(sessionToken)))
  const noteSession = ({ sessionToken, userId, expires }: AdapterSession): Promise<unknown> =>
    send('EVAL', note, 1, notesOf(userId), sessionToken, endOf(expires), Date.now())
  const dropNotes = async (userId: string, tokens: readonly string[]): Promise<void> => {
    if (tokens.length > 0) await send('ZREM', notesOf(userId), ...tokens)
  }
  const listSessions = async (userId: string): Promise<readonly AdapterSession[]> => {
    const noted = await send('ZRANGE', notesOf(userId), 0, -1)
    const tokens = Array.isArray(noted) ? noted.filter((token) => typeof token === 'string') : []
    const found = await Promise.all(tokens.map(getSession))
    await dropNotes(
      userId,
      tokens.filter((_, i) => found[i] === null)
    )
    return found.filter((session) => session !== null).filter((session) => session.userId === userId)
  }
  return {
    getSession,
    listSessions,
    createSession: async ({ sessionToken, userId, expires }) => {
      const session: AdapterSession = { sessionToken, userId, expires }
      const kept = toText({ userId, expires })
      const isSet = await send('SET', keyOf(sessionToken), kept, 'PXAT', endOf(expires), 'NX')
      if (isSet !== 'OK') throw new DuplicateError('redis: expected a token that no other session has')
      await noteSession(session)
      return session
    },
    updateSession: async ({ sessionToken, ...changes }) => {
      const patch = toText(toSessionPatch(changes))
      const session = toSession(sessionToken, await send('EVAL', update, 1, keyOf(sessionToken), patch, Date.now()))
      if (session) await noteSession(session)
      return session
    },
    deleteSession: async (sessionToken) => {
      const session = toSession(sessionToken, await send('GETDEL', keyOf(sessionToken)))
      if (session) await dropNotes(session.userId, [sessionToken])
      return session
    },
    deleteSessions: async (userId, except) => {
      const sessions = await listSessions(userId)
      const tokens = sessions.map(({ sessionToken }) => sessionToken).filter((token) => token !== except)
      await Promise.all(tokens.map((token) => send('DEL', keyOf(token))))
      await dropNotes(userId, tokens)
    }
  }
}

function toText({ userId, expires }: Partial<AdapterSession>): string {
  return JSON.stringify({ userId, expires: expires?.getTime() })
}

function toSession(sessionToken: string, kept: unknown): AdapterSession | null {
  if (typeof kept !== 'string') return null
  const { userId, expires } = JSON.parse(kept) as Kept
  return { sessionToken, userId, expires: new Date(expires) }
}
