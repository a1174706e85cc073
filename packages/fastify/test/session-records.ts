import type { Adapter, Revocation, RevocationStore, SessionRecord, SessionRecordQuery } from '@postern/core'

/** Milliseconds since 1970. */
type Now = () => number

type RecordMethods = Required<Pick<Adapter, 'putSessionRecord' | 'getSessionRecords' | 'deleteSessionRecord'>>

function recordMethods(records: Map<string, SessionRecord>): RecordMethods {
  const matches = (record: SessionRecord, query: SessionRecordQuery): boolean => {
    if ('id' in query) return record.id === query.id
    if ('userId' in query) return record.userId === query.userId
    return record.provider === query.provider && record.providerSessionId === query.providerSessionId
  }
  return {
    putSessionRecord: async (record) => void records.set(record.id, { ...record }),
    getSessionRecords: async (query) => [...records.values()].filter((record) => matches(record, query)),
    deleteSessionRecord: async (id) => void records.delete(id)
  }
}

type Rows = Map<string, Revocation & { readonly recorded: number }>

/** Revocations in memory, by a clock of the tests. */
export function memoryRevocations(now: Now, rows: Rows = new Map()): RevocationStore {
  return {
    revoke: async (subject, until, named) => {
      const last = rows.get(subject)?.version ?? 0
      const version = named === undefined ? Math.max(now(), last + 1) : Math.max(named, last)
      rows.set(subject, { subject, version, until, recorded: now() })
      return version
    },
    getRevocations: async (subjects) => subjects.flatMap((subject) => rows.get(subject) ?? []),
    listRevocations: async (since, max) =>
      [...rows.values()]
        .filter(({ recorded }) => recorded >= since.getTime())
        .toSorted((one, other) => one.recorded - other.recorded)
        .slice(0, max)
  }
}

/** An adapter that also stores records and revocations, with a clock of the tests. */
export function withSessionRecords(adapter: Adapter, now: Now): Adapter {
  const { transact: _, createSession, deleteSession, deleteSessions, deleteUser, ...others } = adapter
  const revocations: Rows = new Map()
  const records = new Map<string, SessionRecord>()
  const forget = (isOver: (record: SessionRecord) => boolean): void => {
    for (const [id, record] of records) if (isOver(record)) records.delete(id)
  }
  if (!createSession || !deleteSession || !deleteSessions || !deleteUser) throw new TypeError('expected an adapter')
  return {
    ...others,
    ...memoryRevocations(now, revocations),
    ...versionMethods(adapter, revocations, now),
    ...recordMethods(records),
    createSession: async (session, record) => {
      const created = await createSession(session)
      if (record) records.set(record.id, { ...record })
      return created
    },
    deleteSession: async (token) => {
      forget(({ sessionToken }) => sessionToken === token)
      return deleteSession(token)
    },
    deleteSessions: async (id, except) => {
      forget(({ userId, sessionToken }) => userId === id && sessionToken !== null && sessionToken !== except)
      await deleteSessions(id, except)
    },
    deleteUser: async (id) => {
      forget(({ userId }) => userId === id)
      return deleteUser(id)
    }
  }
}

/** What ends the sessions of a user revokes them, by the clock of the tests. */
function versionMethods({ advanceUser, getUserVersion }: Adapter, rows: Rows, now: Now): Pick<Adapter, 'advanceUser'> {
  if (!advanceUser || !getUserVersion) return {}
  return {
    advanceUser: async (advance) => {
      const { userId, raises, until } = advance
      const isMade = await advanceUser(advance)
      const { sessionsFrom: version = 0 } = (isMade && raises && (await getUserVersion(userId))) || {}
      const subject = `user:${userId}`
      if (version > 0) rows.set(subject, { subject, version, until, recorded: now() })
      return isMade
    }
  }
}
