import type { RevocationStore } from '@postern/core'
import { asc, gte, inArray, sql } from 'drizzle-orm'
import type { Connection } from './connection.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share; the same in a whole statement. */
const now = sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`

/** The methods that concern revocations of signed tokens. */
export function revocationMethods({ db, tables, safe }: Connection) {
  const { posternRevocations: revocations } = tables
  const { subject, version, until, noted } = revocations
  const columns = { subject, version, until }
  return {
    revoke: async (subject, until) => {
      const rows = await safe(() =>
        db
          .insert(revocations)
          .values({ subject, version: now, until, noted: now })
          .onConflictDoUpdate({
            target: revocations.subject,
            set: {
              version: sql`greatest(${version} + 1, excluded.version)`,
              until: sql`greatest(${revocations.until}, excluded.until)`,
              noted: sql`greatest(${noted}, excluded.noted)`
            }
          })
          .returning({ version })
      )
      const [row] = rows
      if (!row) throw new Error('postgres: revoke: expected the row that was written')
      return row.version
    },
    getRevocations: async (subjects) => {
      if (subjects.length === 0) return []
      return safe(() =>
        db
          .select(columns)
          .from(revocations)
          .where(inArray(subject, [...subjects]))
      )
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
