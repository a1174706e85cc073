import { createHash } from 'node:crypto'
import type { Adapter, SessionRecord, SessionRecordQuery } from '@postern/core'
import { toRecordRow } from '../rows.ts'
import type { Send } from './client.ts'
import { endOf } from './expiry.ts'
import { createNotes } from './session-index.ts'

/** What is done with records, whether or not they are those of sessions in Redis. */
export interface Records extends Required<Pick<Adapter, 'getSessionRecords' | 'deleteSessionRecord'>> {
  readonly put: (record: SessionRecord) => Promise<void>
  /** Deletes the record of a session, where it is still that session's. */
  readonly deleteOf: (sessionToken: string, id: string) => Promise<void>
  /** Deletes the records of a user, but for the one of the session `except`. */
  readonly deleteByUser: (userId: string, except?: string) => Promise<void>
}

/** A record as it is kept under its key: dates are milliseconds since 1970. */
type Kept = Omit<SessionRecord, 'createdAt' | 'lastSeen' | 'expires'> &
  Record<'createdAt' | 'lastSeen' | 'expires', number>

/**
 * Makes the keys of records: one for each record, and one for each user and each session of a provider with the ids of
 * theirs.
 */
export function createRecords(send: Send, prefix: string): Records {
  const keyOf = (id: string): string => `${prefix}record:${id}`
  const { notesOfUser, notesOfProvider, notesOf } = namesOfNotes(prefix)
  const notes = createNotes(send)
  const get = async (id: string): Promise<SessionRecord | null> => toRecord(await send('GET', keyOf(id)))
  const find = async (key: string, isWanted: (record: SessionRecord) => boolean): Promise<readonly SessionRecord[]> => {
    const ids = await notes.list(key)
    const found = await Promise.all(ids.map(get))
    const wanted = found.filter((record) => record !== null).filter(isWanted)
    const known = new Set(wanted.map(({ id }) => id))
    await notes.drop(
      key,
      ids.filter((id) => !known.has(id))
    )
    return wanted
  }
  const findByUser = (userId: string): Promise<readonly SessionRecord[]> =>
    find(notesOfUser(userId), (record) => record.userId === userId)
  const deleteSessionRecord = async (id: string): Promise<void> => {
    const record = toRecord(await send('GETDEL', keyOf(id)))
    if (record) await Promise.all(notesOf(record).map((key) => notes.drop(key, [id])))
  }
  return {
    put: async (given) => {
      const record = toRecordRow(given)
      await send('SET', keyOf(record.id), toText(record), 'PXAT', endOf(record.expires))
      await Promise.all(notesOf(record).map((key) => notes.add(key, record.id, record.expires)))
    },
    getSessionRecords: async (query: SessionRecordQuery) => {
      if ('userId' in query) return findByUser(query.userId)
      if ('id' in query) return [await get(query.id)].filter((record) => record !== null)
      const { provider, providerSessionId } = query
      const isWanted = (record: SessionRecord): boolean =>
        record.provider === provider && record.providerSessionId === providerSessionId
      return find(notesOfProvider(provider, providerSessionId), isWanted)
    },
    deleteSessionRecord,
    deleteOf: async (sessionToken, id) => {
      const record = await get(id)
      if (record?.sessionToken === sessionToken) await deleteSessionRecord(id)
    },
    deleteByUser: async (userId, except) => {
      const records = await findByUser(userId)
      const over = records.filter(({ sessionToken }) => except === undefined || sessionToken !== except)
      await Promise.all(over.map(({ id }) => deleteSessionRecord(id)))
    }
  }
}

function namesOfNotes(prefix: string) {
  const notesOfUser = (userId: string): string => `${prefix}records:${userId}`
  // A digest: providers may choose what they like, of any length.
  const notesOfProvider = (provider: string, providerSessionId: string): string =>
    `${prefix}provider-session:${createHash('sha256')
      .update(JSON.stringify([provider, providerSessionId]))
      .digest('base64url')}`
  const notesOf = ({ userId, provider, providerSessionId }: SessionRecord): readonly string[] => [
    notesOfUser(userId),
    ...(provider === null || providerSessionId === null ? [] : [notesOfProvider(provider, providerSessionId)])
  ]
  return { notesOfUser, notesOfProvider, notesOf }
}

function toText(record: SessionRecord): string {
  const { createdAt, lastSeen, expires } = record
  const kept: Kept = {
    ...record,
    createdAt: createdAt.getTime(),
    lastSeen: lastSeen.getTime(),
    expires: expires.getTime()
  }
  return JSON.stringify(kept)
}

function toRecord(text: unknown): SessionRecord | null {
  if (typeof text !== 'string') return null
  const { createdAt, lastSeen, expires, ...rest } = JSON.parse(text) as Kept
  return { ...rest, createdAt: new Date(createdAt), lastSeen: new Date(lastSeen), expires: new Date(expires) }
}
