import type { Adapter, SessionRecord, SessionRecordQuery } from '@postern/core'
import { and } from 'drizzle-orm'
import { toRecordRow } from '../rows.ts'
import { faults } from './busy.ts'
import { affectedRowsOf, type Connection } from './connection.ts'
import { isExactly } from './exact.ts'

type RecordMethods = Required<Pick<Adapter, 'putSessionRecord' | 'getSessionRecords' | 'deleteSessionRecord'>>

/** The methods that concern what is known of sessions. */
export function recordMethods(connection: Connection): RecordMethods {
  const { db, tables, safe } = connection
  const { posternSessions } = tables
  return {
    putSessionRecord: (record) =>
      safe(async () => {
        if (!(await updateRecord(connection, record))) await insertRecord(connection, record)
      }),
    getSessionRecords: (query) => {
      const isMeant = toCondition(posternSessions, query)
      return safe(() => db.select().from(posternSessions).where(isMeant))
    },
    deleteSessionRecord: async (id) => {
      await safe(() => db.delete(posternSessions).where(isExactly(posternSessions.id, id)))
    }
  }
}

/**
 * Writes a record, in place of one with the same id.
 *
 * MySQL's own way, `on duplicate key update`, would write it in place of one with the same session as well.
 */
export async function insertRecord(connection: Connection, record: SessionRecord): Promise<void> {
  const { db, tables, fit } = connection
  const { posternSessions } = tables
  try {
    await db.insert(posternSessions).values(fit(posternSessions, toRecordRow(record)))
  } catch (error) {
    if (!faults.isDuplicate(error)) throw error
    const isThere = await db
      .select()
      .from(posternSessions)
      .where(isExactly(posternSessions.id, record.id))
      .for('update')
    if (isThere.length === 0) throw error
    await updateRecord(connection, record)
  }
}

async function updateRecord({ db, tables, fit }: Connection, record: SessionRecord): Promise<boolean> {
  const { posternSessions } = tables
  const { id, ...changes } = fit(posternSessions, toRecordRow(record))
  return affectedRowsOf(await db.update(posternSessions).set(changes).where(isExactly(posternSessions.id, id))) === 1
}

function toCondition(records: Connection['tables']['posternSessions'], query: SessionRecordQuery) {
  if ('userId' in query) return isExactly(records.userId, query.userId)
  if ('id' in query) return isExactly(records.id, query.id)
  return and(isExactly(records.provider, query.provider), isExactly(records.providerSessionId, query.providerSessionId))
}
