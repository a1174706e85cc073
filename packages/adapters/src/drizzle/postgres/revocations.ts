import type { Revocation, RevocationStore } from '@postern/core'
import { sql } from 'drizzle-orm'
import type { Connection } from './connection.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share; constant within a statement. */
const now = sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`

/** Records the version of a user's row as the one of their revocation. */
export async function raiseRevocation(
  { db, tables }: Pick<Connection, 'db' | 'tables'>,
  { subject, version, until }: Revocation
): Promise<readonly Pick<Revocation, 'version'>[]> {
  const { posternRevocations: revocations } = tables
  return db
    .insert(revocations)
    .values({ subject, version, until, noted: now })
    .onConflictDoUpdate({
      target: revocations.subject,
      set: {
        version: sql`greatest(${revocations.version}, excluded.version)`,
        until: sql`greatest(${revocations.until}, excluded.until)`,
        noted: sql`greatest(${revocations.noted}, excluded.noted)`
      }
    })
    .returning({ version: revocations.version })
}

/** The method that records revocations of JWT sessions. */
export function revocationMethods({ db, tables, retryIdempotent }: Connection): Pick<RevocationStore, 'revoke'> {
  const { posternRevocations: revocations } = tables
  const { version, noted } = revocations
  return {
    revoke: async (subject, until, named) => {
      const note = () =>
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
      const [row] = await retryIdempotent(() =>
        named === undefined ? note() : raiseRevocation({ db, tables }, { subject, version: named, until })
      )
      if (!row) throw new Error('postgres: revoke: expected the row that was written')
      return row.version
    }
  }
}
