import type { SessionRecord, SessionRecordQuery } from '@postern/core'
import { and, sql } from 'drizzle-orm'
import type { RecordMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import { faults } from './driver-errors.ts'
import { affectedRowsOf, type Connection, insertIdOf } from './connection.ts'

/** The methods that concern what is known of sessions. */
export function recordMethods(connection: Connection): RecordMethods {
  const { db, tables, isExactly, safe } = connection
  const { posternSessions } = tables
  return {
    putSessionRecord: (record) =>
      safe(async () => {
        const telling = { ...connection, fit: tellingVersion(connection, record) }
        // One that was not used since it was made is most likely new.
        const isUsed = record.lastSeen > record.createdAt
        const updated = isUsed ? await updateRecord(telling, record) : null
        return versionIn(updated ?? (await insertRecord(telling, record)))
      }),
    getSessionRecords: (query) => {
      const isMeant = toCondition(connection, query)
      return safe(() => db.select().from(posternSessions).where(isMeant))
    },
    deleteSessionRecord: async (id) => {
      await safe(() => db.delete(posternSessions).where(isExactly(posternSessions.id, id)))
    }
  }
}

/** Makes the server answer the version of the user's revocations for the last id it has given, plus one for none. */
function tellingVersion({ tables, fit, isExactly }: Connection, { userId }: SessionRecord): Connection['fit'] {
  const { subject, version } = tables.posternRevocations
  const isTheirs = isExactly(subject, `user:${userId}`)
  const found = sql`select ${version} from ${tables.posternRevocations} where ${isTheirs}`
  return (table, row) => ({
    ...fit(table, row),
    userId: sql`if(last_insert_id(coalesce((${found}), 0) + 1) > 0, ${userId}, null)`
  })
}

function versionIn(result: unknown): { readonly userVersion: number } {
  return { userVersion: insertIdOf(result) - 1 }
}

/**
 * Writes a record, in place of one with the same id.
 *
 * MySQL's own way, `on duplicate key update`, would write it in place of one with the same session as well.
 */
export async function insertRecord(connection: Connection, record: SessionRecord): Promise<unknown> {
  const { db, tables, fit, isExactly } = connection
  const { posternSessions } = tables
  try {
    return await db.insert(posternSessions).values(fit(posternSessions, toRecordRow(record)))
  } catch (error) {
    if (!faults.isDuplicate(error)) throw error
    const isThere = await db
      .select()
      .from(posternSessions)
      .where(isExactly(posternSessions.id, record.id))
      .for('update')
    if (isThere.length === 0) throw error
    return updateRecord(connection, record)
  }
}

/** @returns What the driver answers, `null` where there is no such record. */
async function updateRecord({ db, tables, fit, isExactly }: Connection, record: SessionRecord): Promise<unknown> {
  const { posternSessions } = tables
  const { id, ...changes } = fit(posternSessions, toRecordRow(record))
  const result = await db.update(posternSessions).set(changes).where(isExactly(posternSessions.id, id))
  return affectedRowsOf(result) === 1 ? result : null
}

function toCondition({ tables, isExactly }: Connection, query: SessionRecordQuery) {
  const { posternSessions: records } = tables
  if ('userId' in query) return isExactly(records.userId, query.userId)
  if ('id' in query) return isExactly(records.id, query.id)
  return and(isExactly(records.provider, query.provider), isExactly(records.providerSessionId, query.providerSessionId))
}
