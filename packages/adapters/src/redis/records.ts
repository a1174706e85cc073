import { createHash } from 'node:crypto'
import type { Adapter, SessionRecord, SessionRecordQuery } from '@postern/core'
import { toRecordRow } from '../rows.ts'
import type { Send } from './client.ts'
import { getEnd } from './expiry.ts'
import { createSessionIndex, readLatest } from './session-index.ts'

/** The operations on records, whether or not their sessions are stored in Redis. */
export interface Records extends Required<Pick<Adapter, 'getSessionRecords' | 'deleteSessionRecord'>> {
  readonly put: (record: SessionRecord) => Promise<void>
  /** Deletes the record of a session, if it still belongs to that session. */
  readonly getDelete: (sessionToken: string, id: string) => Promise<void>
  /** Deletes the records of a user's database sessions, except those of the sessions `kept`. */
  readonly deleteOfSessions: (userId: string, kept: readonly string[]) => Promise<void>
}

/** A record as stored under its key: dates are milliseconds since 1970. */
type StoredRecord = Omit<SessionRecord, 'createdAt' | 'lastSeen' | 'expires'> &
  Record<'createdAt' | 'lastSeen' | 'expires', number>

/**
 * Creates the keys of records: one per record, and one per user and per provider session with the ids of their records.
 */
export function createRecords(send: Send, prefix: string): Records {
  const getKey = (id: string): string => getRecordKey(prefix, id)
  const { notesOfUser, notesOfProvider, notesOf: getNotes } = namesOfNotes(prefix)
  const notes = createSessionIndex(send)
  const get = async (id: string): Promise<SessionRecord | null> => toRecord(await send('GET', getKey(id)))
  const read = (key: string, matches: (record: SessionRecord) => boolean, count?: number) => {
    const getMatching = async (id: string) => {
      const record = await get(id)
      return record && matches(record) ? record : null
    }
    return notes.read(key, getMatching, count)
  }
  const findByUser = (userId: string, limit?: number): Promise<readonly SessionRecord[]> =>
    readLatest(limit, (count) => read(notesOfUser(userId), (record) => record.userId === userId, count))
  const deleteSessionRecord = async (id: string): Promise<void> => {
    const record = toRecord(await send('GETDEL', getKey(id)))
    if (record) await Promise.all(getNotes(record).map((key) => notes.drop(key, [id])))
  }
  return {
    put: createPut(send, prefix),
    getSessionRecords: async (query: SessionRecordQuery) => {
      if ('userId' in query) return findByUser(query.userId, query.limit)
      if ('id' in query) return [await get(query.id)].filter((record) => record !== null)
      const { provider, providerSessionId } = query
      const matches = (record: SessionRecord): boolean =>
        record.provider === provider && record.providerSessionId === providerSessionId
      return (await read(notesOfProvider(provider, providerSessionId), matches)).found
    },
    deleteSessionRecord,
    getDelete: async (sessionToken, id) => {
      const record = await get(id)
      if (record?.sessionToken === sessionToken) await deleteSessionRecord(id)
    },
    deleteOfSessions: async (userId, kept) => {
      const records = await findByUser(userId)
      const ended = records.filter(({ sessionToken }) => sessionToken !== null && !kept.includes(sessionToken))
      await Promise.all(ended.map(({ id }) => deleteSessionRecord(id)))
    }
  }
}

/** Extends the index entries, writes the record, and adds the entries that it did not have before. */
function createPut(send: Send, prefix: string): Records['put'] {
  const { notesOf: getNotes } = namesOfNotes(prefix)
  const notes = createSessionIndex(send)
  return async (given) => {
    const record = toRecordRow(given)
    const add = (keys: readonly string[]): Promise<unknown> =>
      Promise.all(keys.map((key) => notes.add(key, record.id, record.expires)))
    const [keys, text] = [getNotes(record), toText(record)]
    await add(keys)
    const replaced = await send('SET', getRecordKey(prefix, record.id), text, 'PXAT', getEnd(record.expires), 'GET')
    // A reader may have removed an entry whose record did not exist yet. ioredis repeats a command whose response was
    // lost: the replaced text may be from this call.
    const before = replaced === text ? null : toRecord(replaced)
    const kept = before ? getNotes(before) : []
    await add(keys.filter((key) => !kept.includes(key)))
  }
}

const getRecordKey = (prefix: string, id: string): string => `${prefix}record:${id}`

function namesOfNotes(prefix: string) {
  const notesOfUser = (userId: string): string => `${prefix}records:${userId}`
  // A digest, because providers choose the id and its length.
  const notesOfProvider = (provider: string, providerSessionId: string): string =>
    `${prefix}provider-session:${createHash('sha256')
      .update(JSON.stringify([provider, providerSessionId]))
      .digest('base64url')}`
  const getNotes = ({ userId, provider, providerSessionId }: SessionRecord): readonly string[] => [
    notesOfUser(userId),
    ...(provider === null || providerSessionId === null ? [] : [notesOfProvider(provider, providerSessionId)])
  ]
  return { notesOfUser, notesOfProvider, notesOf: getNotes }
}

function toText(record: SessionRecord): string {
  const { createdAt, lastSeen, expires } = record
  const stored: StoredRecord = {
    ...record,
    createdAt: createdAt.getTime(),
    lastSeen: lastSeen.getTime(),
    expires: expires.getTime()
  }
  return JSON.stringify(stored)
}

function toRecord(text: unknown): SessionRecord | null {
  if (typeof text !== 'string') return null
  const { createdAt, lastSeen, expires, ...rest } = JSON.parse(text) as StoredRecord
  return { ...rest, createdAt: new Date(createdAt), lastSeen: new Date(lastSeen), expires: new Date(expires) }
}
