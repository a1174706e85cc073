import type { RevocationStore } from '@postern/core'
import { asc, gte, or, sql } from 'drizzle-orm'
import { type Connection, insertIdOf } from './connection.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share; the same in a whole statement. */
const now = sql<number>`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`

/** The methods that concern revocations of signed tokens. */
export function revocationMethods({ db, tables, isExactly, safe }: Connection) {
  const { posternRevocations: revocations } = tables
  const { subject, version, until, noted } = revocations
  const columns = { subject, version, until }
  return {
    // The server answers what it was told to take for the last id it has given.
    revoke: async (subject, end) => {
      const last = sql`cast(${sql.param(end, until)} as datetime(3))`
      const result = await safe(() =>
        db
          .insert(revocations)
          .values({ subject, version: sql`last_insert_id(${now})`, until: end, noted: now })
          .onDuplicateKeyUpdate({
            set: {
              version: sql`last_insert_id(greatest(${version} + 1, ${now}))`,
              until: sql`greatest(${until}, ${last})`,
              noted: sql`greatest(${noted}, ${now})`
            }
          })
      )
      return insertIdOf(result)
    },
    getRevocations: async (subjects) => {
      if (subjects.length === 0) return []
      const isMeant = or(...subjects.map((name) => isExactly(subject, name)))
      return safe(() => db.select(columns).from(revocations).where(isMeant))
    },
    listRevocations: (since, most) =>
      safe(() =>
        db
          .select(columns)
          .from(revocations)
          .where(gte(noted, since.getTime()))
          .orderBy(asc(noted), asc(version))
          .limit(most)
      )
  } satisfies RevocationStore
}
