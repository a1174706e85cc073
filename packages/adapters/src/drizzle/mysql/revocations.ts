import type { RevocationStore } from '@postern/core'
import { sql } from 'drizzle-orm'
import type { Connection } from './connection.ts'
import { getInsertId } from './results.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share; constant within a statement. */
const now = sql<number>`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`

/** The method that records revocations of JWT sessions. */
export function revocationMethods({ db, tables, retryIdempotent }: Connection): Pick<RevocationStore, 'revoke'> {
  const { posternRevocations: revocations } = tables
  const { version, until, noted } = revocations
  return {
    // The server returns the version as the last inserted id.
    revoke: async (subject, end, named) => {
      const last = sql`cast(${sql.param(end, until)} as datetime(3))`
      const [first, next] = named === undefined ? [now, sql`${version} + 1`] : [sql`${named}`, version]
      const result = await retryIdempotent(() =>
        db
          .insert(revocations)
          .values({ subject, version: sql`last_insert_id(${first})`, until: end, noted: now })
          .onDuplicateKeyUpdate({
            set: {
              version: sql`last_insert_id(greatest(${next}, ${first}))`,
              until: sql`greatest(${until}, ${last})`,
              noted: sql`greatest(${noted}, ${now})`
            }
          })
      )
      return getInsertId(result)
    }
  }
}
