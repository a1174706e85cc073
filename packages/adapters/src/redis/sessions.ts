import { randomBytes } from 'node:crypto'
import type { Adapter, AdapterSession, UserVersion } from '@postern/core'
import { DuplicateError } from '../duplicate-error.ts'
import { toSessionPatch } from '../rows.ts'
import type { Send } from './client.ts'
import { getEnd, grace } from './expiry.ts'
import type { Records } from './records.ts'
import { createSessionIndex, readLatest } from './session-index.ts'
import { setNew } from './set-new.ts'

/** A session as stored under its key. */
interface StoredSession {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** The version of its user: it has ended if the row of the user says that sessions count from a later one. */
  readonly version?: number | undefined
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
> & {
  readonly getSession: (sessionToken: string) => Promise<VersionedSession | null>
  /** Creates a session that carries the version of its user. */
  readonly createVersioned: (
    version: number,
    ...args: Parameters<Required<Adapter>['createSession']>
  ) => Promise<AdapterSession>
  /** Deletes the sessions of a user except some. */
  readonly deleteOthers: (userId: string, kept: readonly string[]) => Promise<void>
}

/** A session, and the version of its user that it carries. */
export interface VersionedSession extends AdapterSession {
  readonly version: number
}

/** Reads the row of a user. */
export type GetVersion = (userId: string) => Promise<Pick<UserVersion, 'version' | 'sessionsFrom'> | null>

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
export function sessionMethods(send: Send, prefix: string, records: Records, getVersion: GetVersion): SessionMethods {
  const reads = createReads(send, prefix)
  const { keyOf: getKey, notesOf: getNotes, notes, note, getSession, listSessions } = reads
  const patch: Patch = (sessionToken, changes) =>
    send('EVAL', update, 1, getKey(sessionToken), JSON.stringify(changes), Date.now())
  const take = createTake(send, getKey, records)
  const create = createCreate(send, getKey)
  const createVersioned: SessionMethods['createVersioned'] = async (version, given, record) => {
    const session = withoutVersion(given)
    await create({ ...session, version }, record?.id)
    await note(session)
    if (record) await records.put(record)
    return session
  }
  const deleteOthers = createDeleteOthers(reads, take, records)
  return {
    getSession,
    createVersioned,
    listSessions: createList(listSessions, getVersion),
    createSession: async (session, record) => {
      const { version = 0 } = (await getVersion(session.userId)) ?? {}
      return createVersioned(version, session, record)
    },
    updateSession: createUpdate(reads, patch),
    deleteSession: async (sessionToken) => {
      const session = await take(sessionToken)
      if (session) await notes.drop(getNotes(session.userId), [sessionToken])
      return session && withoutVersion(session)
    },
    deleteSessions: (userId, except) => deleteOthers(userId, except === undefined ? [] : [except]),
    deleteOthers,
    putSessionRecord: async (record) => {
      if (record.sessionToken !== null) await patch(record.sessionToken, { record: record.id })
      await records.put(record)
    },
    getSessionRecords: records.getSessionRecords,
    deleteSessionRecord: records.deleteSessionRecord
  }
}

/** Deletes a session and its record, but not the entry in the list of its user. */
function createTake(send: Send, getKey: (sessionToken: string) => string, records: Records) {
  return async (sessionToken: string): Promise<VersionedSession | null> => {
    const stored = await send('GETDEL', getKey(sessionToken))
    const record = typeof stored === 'string' ? parse(stored).record : undefined
    if (record !== undefined) await records.getDelete(sessionToken, record)
    return toSession(sessionToken, stored)
  }
}

function createDeleteOthers(
  { listSessions, notes, notesOf: getNotes }: ReturnType<typeof createReads>,
  take: (sessionToken: string) => Promise<unknown>,
  records: Records
): SessionMethods['deleteOthers'] {
  return async (userId, kept) => {
    const tokens = (await listSessions(userId)).map(({ sessionToken }) => sessionToken)
    const ended = tokens.filter((token) => !kept.includes(token))
    await Promise.all(ended.map(take))
    await notes.drop(getNotes(userId), ended)
    await records.deleteOfSessions(userId, kept)
  }
}

/** Lists the sessions that have not ended by the version of their user. */
function createList(
  list: (userId: string, limit?: number) => Promise<readonly VersionedSession[]>,
  getVersion: GetVersion
): SessionMethods['listSessions'] {
  return async (userId, limit) => {
    const sessions = await list(userId, limit)
    const { sessionsFrom = 0 } = (sessions.length > 0 && (await getVersion(userId))) || {}
    return sessions.filter(({ version }) => version >= sessionsFrom).map(withoutVersion)
  }
}

/** Writes a session under a new key. */
function createCreate(send: Send, getKey: (sessionToken: string) => string) {
  return async (session: VersionedSession, record: string | undefined): Promise<void> => {
    const key = getKey(session.sessionToken)
    const { version } = session
    const stored = JSON.stringify({ ...toStored(session), version, record, call: randomBytes(9).toString('base64url') })
    if (!(await setNew(send, key, stored, getEnd(session.expires))))
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
    return session && withoutVersion(session)
  }
}

function createReads(send: Send, prefix: string) {
  const getKey = (sessionToken: string): string => `${prefix}session:${sessionToken}`
  const getNotes = (userId: string): string => `${prefix}sessions:${userId}`
  const notes = createSessionIndex(send)
  const note = ({ sessionToken, userId, expires }: AdapterSession): Promise<unknown> =>
    notes.add(getNotes(userId), sessionToken, expires)
  const getSession = async (sessionToken: string): Promise<VersionedSession | null> =>
    toSession(sessionToken, await send('GET', getKey(sessionToken)))
  const readSessions = async (userId: string, count?: number) => {
    const { found, names } = await notes.read(getNotes(userId), getSession, count)
    return { found: found.filter((session) => session.userId === userId), names }
  }
  const listSessions = (userId: string, limit?: number): Promise<readonly VersionedSession[]> =>
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

function toSession(sessionToken: string, stored: unknown): VersionedSession | null {
  if (typeof stored !== 'string') return null
  const { userId, expires, version = 0 } = parse(stored)
  return { sessionToken, userId, expires: new Date(expires), version }
}

/** The session as the adapter returns it. */
export function withoutVersion({ sessionToken, userId, expires }: AdapterSession): AdapterSession {
  return { sessionToken, userId, expires }
}
