import type { RevocationStore } from '@postern/core'
import { asc, eq, gte, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

/** The methods for revocations of JWT sessions. */
export function revocationMethods(connection: Connection) {
  const { read, write } = connection
  const statements = lazy(() => prepareStatements(connection))
  return {
    revoke: (subject, until) =>
      write(() => {
        const now = Date.now()
        return statements().note.all({ subject, until: until.getTime(), now })[0]?.version ?? now
      }),
    getRevocations: (subjects) =>
      read(() => [...new Set(subjects)].flatMap((subject) => statements().bySubject.all({ subject }))),
    listRevocations: (from, limit) => read(() => statements().since.all({ since: from.getTime(), limit: limit }))
  } satisfies RevocationStore
}

function prepareStatements({ db, tables }: Connection) {
  const { posternRevocations: revocations } = tables
  const { subject, version, until } = revocations
  const fields = { subject, version, until }
  const note = db
    .insert(revocations)
    .values({
      subject: placeholder('subject'),
      version: placeholder('now'),
      until: placeholder('until'),
      noted: placeholder('now')
    })
    .onConflictDoUpdate({
      target: subject,
      set: {
        version: sql`max(${version} + 1, excluded."version")`,
        until: sql`max(${until}, excluded."until")`,
        noted: sql`excluded."noted"`
      }
    })
    .returning({ version })
    .prepare()
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
  return { note, bySubject, since }
}
