import { randomBytes } from 'node:crypto'
import type { Adapter, AdapterSession } from '@postern/core'
import { DuplicateError } from '../duplicate-error.ts'
import { toSessionPatch } from '../rows.ts'
import type { Send } from './client.ts'
import { getEnd, grace } from './expiry.ts'
import type { Records } from './records.ts'
import { createSessionIndex, readLatest } from './session-index.ts'

/** A session as stored under its key. */
interface StoredSession {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** The id of its record. */
  readonly record?: string | undefined
  /** Identifies the call that created it. */
  readonly call?: string | undefined
}

type SessionMethods = Required<
  Pick<
    Adapter,
    | 'createSession'
    | 'updateSession'
    | 'deleteSession'
    | 'listSessions'
    | 'deleteSessions'
    | 'putSessionRecord'
    | 'getSessionRecords'
    | 'deleteSessionRecord'
  >
> & { readonly getSession: (sessionToken: string) => Promise<AdapterSession | null> }

/** Changes fields of an existing session. @returns The session as stored; `null` if there is none. */
type Patch = (sessionToken: string, changes: Partial<StoredSession>) => Promise<unknown>

/** Updates the given fields of an existing session. */
const update = `
local kept = redis.call('get', KEYS[1])
if not kept then return nil end
local row = cjson.decode(kept)
for field, value in pairs(cjson.decode(ARGV[1])) do row[field] = value end
local after = cjson.encode(row)
local ends = math.max(row.expires, tonumber(ARGV[2])) + ${grace}
redis.call('set', KEYS[1], after, 'PXAT', string.format('%.0f', ends))
return after`

/**
 * The methods for sessions: one key per session, and one key per user with the tokens of their sessions.
 *
 * A session is created before its index entry, extended after it, and deleted before it. An interruption leaves an entry
 * that outlives its session, which is removed when found, or a session whose token was never issued. A session contains
 * the id of its record, so both end together.
 */
export function sessionMethods(send: Send, prefix: string, records: Records): SessionMethods {
  const reads = createReads(send, prefix)
  const { keyOf: getKey, notesOf: getNotes, notes, note, getSession, listSessions } = reads
  const patch: Patch = (sessionToken, changes) =>
    send('EVAL', update, 1, getKey(sessionToken), JSON.stringify(changes), Date.now())
  const take = async (sessionToken: string): Promise<AdapterSession | null> => {
    const stored = await send('GETDEL', getKey(sessionToken))
    const record = typeof stored === 'string' ? parse(stored).record : undefined
    if (record !== undefined) await records.getDelete(sessionToken, record)
    return toSession(sessionToken, stored)
  }
  const create = createCreate(send, getKey)
  const createSession: SessionMethods['createSession'] = async ({ sessionToken, userId, expires }, record) => {
    const session: AdapterSession = { sessionToken, userId, expires }
    await create(session, record?.id)
    await note(session)
    if (record) await records.put(record)
    return session
  }
  return {
    getSession,
    listSessions,
    createSession,
    updateSession: createUpdate(reads, patch),
    deleteSession: async (sessionToken) => {
      const session = await take(sessionToken)
      if (session) await notes.drop(getNotes(session.userId), [sessionToken])
      return session
    },
    deleteSessions: async (userId, except) => {
      const tokens = (await listSessions(userId)).map(({ sessionToken }) => sessionToken)
      const ended = tokens.filter((token) => token !== except)
      await Promise.all(ended.map(take))
      await notes.drop(getNotes(userId), ended)
      await records.deleteOfSessions(userId, except)
    },
    putSessionRecord: async (record) => {
      if (record.sessionToken !== null) await patch(record.sessionToken, { record: record.id })
      await records.put(record)
    },
    getSessionRecords: records.getSessionRecords,
    deleteSessionRecord: records.deleteSessionRecord
  }
}

/** Writes a session under a new key. */
function createCreate(send: Send, getKey: (sessionToken: string) => string) {
  return async (session: AdapterSession, record: string | undefined): Promise<void> => {
    const key = getKey(session.sessionToken)
    const stored = JSON.stringify({ ...toStored(session), record, call: randomBytes(9).toString('base64url') })
    if ((await send('SET', key, stored, 'PXAT', getEnd(session.expires), 'NX')) === 'OK') return
    // ioredis repeats a command whose response was lost: an existing value may be from this call.
    if ((await send('GET', key)) !== stored)
      throw new DuplicateError('redis: expected a token that no other session has')
  }
}

/** Extends the index entry, then the session. */
function createUpdate(reads: ReturnType<typeof createReads>, patch: Patch): SessionMethods['updateSession'] {
  const { getSession, note } = reads
  return async ({ sessionToken, ...given }) => {
    const found = await getSession(sessionToken)
    if (!found) return null
    const changes = toSessionPatch(given)
    const expected = { ...found, ...changes }
    await note(expected)
    const session = toSession(sessionToken, await patch(sessionToken, toStored(changes)))
    // A concurrent call may have changed the other field.
    if (session && !isSameSession(session, expected)) await note(session)
    return session
  }
}

function createReads(send: Send, prefix: string) {
  const getKey = (sessionToken: string): string => `${prefix}session:${sessionToken}`
  const getNotes = (userId: string): string => `${prefix}sessions:${userId}`
  const notes = createSessionIndex(send)
  const note = ({ sessionToken, userId, expires }: AdapterSession): Promise<unknown> =>
    notes.add(getNotes(userId), sessionToken, expires)
  const getSession = async (sessionToken: string): Promise<AdapterSession | null> =>
    toSession(sessionToken, await send('GET', getKey(sessionToken)))
  const readSessions = async (userId: string, count?: number) => {
    const tokens = await notes.list(getNotes(userId), count)
    const found = await Promise.all(tokens.map(getSession))
    await notes.drop(
      getNotes(userId),
      tokens.filter((_, i) => found[i] === null)
    )
    const sessions = found.filter((session) => session !== null).filter((session) => session.userId === userId)
    return { found: sessions, names: tokens.length }
  }
  const listSessions = (userId: string, limit?: number): Promise<readonly AdapterSession[]> =>
    readLatest(limit, (count) => readSessions(userId, count))
  return { keyOf: getKey, notesOf: getNotes, notes, note, getSession, listSessions }
}

function toStored({ userId, expires }: Partial<AdapterSession>): Partial<StoredSession> {
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(expires === undefined ? {} : { expires: expires.getTime() })
  }
}

function isSameSession(one: AdapterSession, other: AdapterSession): boolean {
  return one.userId === other.userId && one.expires.getTime() === other.expires.getTime()
}

function parse(stored: string): StoredSession {
  return JSON.parse(stored)
}

function toSession(sessionToken: string, stored: unknown): AdapterSession | null {
  if (typeof stored !== 'string') return null
  const { userId, expires } = parse(stored)
  return { sessionToken, userId, expires: new Date(expires) }
}
