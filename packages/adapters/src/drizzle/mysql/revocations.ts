import type { Revocation, RevocationStore } from '@postern/core'
import { sql } from 'drizzle-orm'
import type { Connection } from './connection.ts'
import { getInsertId } from './results.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share; constant within a statement. */
const now = sql<number>`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`

/** Records the version of a user's row as the one of their revocation. */
export async function raiseRevocation(
  { db, tables: { posternRevocations: revocations } }: Connection,
  { subject, version, until }: Revocation
): Promise<void> {
  const last = sql`cast(${sql.param(until, revocations.until)} as datetime(3))`
  await db
    .insert(revocations)
    .values({ subject, version, until, noted: now })
    .onDuplicateKeyUpdate({
      set: {
        version: sql`greatest(${revocations.version}, ${version})`,
        until: sql`greatest(${revocations.until}, ${last})`,
        noted: sql`greatest(${revocations.noted}, ${now})`
      }
    })
}

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
