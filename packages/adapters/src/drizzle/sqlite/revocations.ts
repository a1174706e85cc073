import { type SQL, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

/** The synchronous parts of the methods that a transaction may contain. */
export function revocationOperations(connection: Connection) {
  const statements = lazy(() => prepareChanges(connection))
  return {
    revoke: (subject: string, until: Date, named?: number): number => {
      const values = { subject, until: until.getTime(), now: Date.now() }
      const { note, raise } = statements()
      const [row] = named === undefined ? note.all(values) : raise.all({ ...values, version: named })
      return row?.version ?? values.now
    }
  }
}

function prepareChanges({ db, tables }: Connection) {
  const { posternRevocations: revocations } = tables
  const { subject, version, until } = revocations
  const [now, end] = [placeholder('now'), sql`max(${until}, excluded."until")`]
  const insert = (first: SQL, next: SQL) =>
    db
      .insert(revocations)
      .values({ subject: placeholder('subject'), version: first, until: placeholder('until'), noted: now })
      .onConflictDoUpdate({ target: subject, set: { version: next, until: end, noted: sql`excluded."noted"` } })
  return {
    note: insert(now, sql`max(${version} + 1, excluded."version")`).returning({ version }).prepare(),
    raise: insert(placeholder('version'), sql`max(${version}, excluded."version")`).returning({ version }).prepare()
  }
}
