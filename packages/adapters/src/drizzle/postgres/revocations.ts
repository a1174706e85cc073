import type { RevocationStore } from '@postern/core'
import { sql } from 'drizzle-orm'
import type { Connection } from './connection.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share; constant within a statement. */
const now = sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`

/** The method that records revocations of JWT sessions. */
export function revocationMethods({ db, tables, retryIdempotent }: Connection): Pick<RevocationStore, 'revoke'> {
  const { posternRevocations: revocations } = tables
  const { version, until, noted } = revocations
  return {
    revoke: async (subject, end, named) => {
      const [first, next] = named === undefined ? [now, sql`${version} + 1`] : [named, version]
      const [row] = await retryIdempotent(() =>
        db
          .insert(revocations)
          .values({ subject, version: first, until: end, noted: now })
          .onConflictDoUpdate({
            target: revocations.subject,
            set: {
              version: sql`greatest(${next}, excluded.version)`,
              until: sql`greatest(${until}, excluded.until)`,
              noted: sql`greatest(${noted}, excluded.noted)`
            }
          })
          .returning({ version })
      )
      if (!row) throw new Error('postgres: revoke: expected the row that was written')
      return row.version
    }
  }
}
