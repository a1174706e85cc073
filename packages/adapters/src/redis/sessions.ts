import { randomBytes } from 'node:crypto'
import type { Adapter, AdapterSession } from '@postern/core'
import { DuplicateError } from '../duplicate-error.ts'
import { toSessionPatch } from '../rows.ts'
import type { Send } from './client.ts'
import { endOf, grace } from './expiry.ts'
import { createNotes } from './session-index.ts'
import type { Records } from './records.ts'

/** A session as it is kept under its key. */
interface Kept {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** The id of its record. */
  readonly record?: string | undefined
  /** Tells the call that made it from any other. */
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

/**
 * The methods that concern sessions: a key for each session, and for each user a key with the tokens of theirs.
 *
 * A session is written before it is noted, and deleted before the note is. What is interrupted in between leaves a note
 * without a session, which is dropped when it is met, or a session whose token nobody has been given. A session holds
 * the id of its record, which therefore ends with it.
 */
export function sessionMethods(send: Send, prefix: string, records: Records): SessionMethods {
  const { keyOf, notesOf, notes, getSession, listSessions } = createReads(send, prefix)
  const note = ({ sessionToken, userId, expires }: AdapterSession): Promise<unknown> =>
    notes.add(notesOf(userId), sessionToken, expires)
  const patch = (sessionToken: string, changes: Partial<Kept>): Promise<unknown> =>
    send('EVAL', update, 1, keyOf(sessionToken), JSON.stringify(changes), Date.now())
  const take = async (sessionToken: string): Promise<AdapterSession | null> => {
    const kept = await send('GETDEL', keyOf(sessionToken))
    const record = typeof kept === 'string' ? parse(kept).record : undefined
    if (record !== undefined) await records.deleteOf(sessionToken, record)
    return toSession(sessionToken, kept)
  }
  const create = createCreate(send, keyOf)
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
    updateSession: async ({ sessionToken, ...changes }) => {
      const session = toSession(sessionToken, await patch(sessionToken, toKept(toSessionPatch(changes))))
      if (session) await note(session)
      return session
    },
    deleteSession: async (sessionToken) => {
      const session = await take(sessionToken)
      if (session) await notes.drop(notesOf(session.userId), [sessionToken])
      return session
    },
    deleteSessions: async (userId, except) => {
      const tokens = (await listSessions(userId)).map(({ sessionToken }) => sessionToken)
      const over = tokens.filter((token) => token !== except)
      await Promise.all(over.map(take))
      await notes.drop(notesOf(userId), over)
      await records.deleteByUser(userId, except)
    },
    putSessionRecord: async (record) => {
      if (record.sessionToken !== null) await patch(record.sessionToken, { record: record.id })
      await records.put(record)
    },
    getSessionRecords: records.getSessionRecords,
    deleteSessionRecord: records.deleteSessionRecord
  }
}

/** Writes a session under a key that is not there yet. */
function createCreate(send: Send, keyOf: (sessionToken: string) => string) {
  return async (session: AdapterSession, record: string | undefined): Promise<void> => {
    const key = keyOf(session.sessionToken)
    const kept = JSON.stringify({ ...toKept(session), record, call: randomBytes(9).toString('base64url') })
    if ((await send('SET', key, kept, 'PXAT', endOf(session.expires), 'NX')) === 'OK') return
    // ioredis sends a command again whose answer was lost: then what is there is of this very call.
    if ((await send('GET', key)) !== kept) throw new DuplicateError('redis: expected a token that no other session has')
  }
}

function createReads(send: Send, prefix: string) {
  const keyOf = (sessionToken: string): string => `${prefix}session:${sessionToken}`
  const notesOf = (userId: string): string => `${prefix}sessions:${userId}`
  const notes = createNotes(send)
  const getSession = async (sessionToken: string): Promise<AdapterSession | null> =>
    toSession(sessionToken, await send('GET', keyOf(sessionToken)))
  const listSessions = async (userId: string): Promise<readonly AdapterSession[]> => {
    const tokens = await notes.list(notesOf(userId))
    const found = await Promise.all(tokens.map(getSession))
    await notes.drop(
      notesOf(userId),
      tokens.filter((_, i) => found[i] === null)
    )
    return found.filter((session) => session !== null).filter((session) => session.userId === userId)
  }
  return { keyOf, notesOf, notes, getSession, listSessions }
}

function toKept({ userId, expires }: Partial<AdapterSession>): Partial<Kept> {
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(expires === undefined ? {} : { expires: expires.getTime() })
  }
}

function parse(kept: string): Kept {
  return JSON.parse(kept)
}

function toSession(sessionToken: string, kept: unknown): AdapterSession | null {
  if (typeof kept !== 'string') return null
  const { userId, expires } = parse(kept)
  return { sessionToken, userId, expires: new Date(expires) }
}
