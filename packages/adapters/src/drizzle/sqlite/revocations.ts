import type { RevocationStore } from '@postern/core'
import { asc, eq, gte, type SQL, sql } from 'drizzle-orm'
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
    },
    /** Revokes what the row of a user says. */
    revokeUser: (userId: string, version: number, until: Date): void => {
      const subject = `user:${userId}`
      statements().raise.all({ subject, version, until: until.getTime(), now: Date.now() })
    }
  }
}

/** The methods for revocations of JWT sessions. */
export function revocationMethods(connection: Connection): Omit<RevocationStore, 'revoke'> {
  const { read } = connection
  const statements = lazy(() => prepareStatements(connection))
  return {
    getRevocations: (subjects) =>
      read(() => [...new Set(subjects)].flatMap((subject) => statements().bySubject.all({ subject }))),
    listRevocations: (from, limit) => read(() => statements().since.all({ since: from.getTime(), limit }))
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

function prepareStatements({ db, tables }: Connection) {
  const { posternRevocations: revocations } = tables
  const { subject, version, until } = revocations
  const fields = { subject, version, until }
  const bySubject = db
    .select(fields)
    .from(revocations)
    .where(eq(subject, placeholder('subject')))
    .prepare()
  const since = db
    .select(fields)
    .from(revocations)
    .where(gte(revocations.noted, placeholder('since')))
    .orderBy(asc(revocations.noted), asc(version))
    .limit(sql.placeholder('limit'))
    .prepare()
  return { bySubject, since }
}
