import type { RevocationStore } from '@postern/core'
import { asc, eq, gte, sql } from 'drizzle-orm'
import { lazily } from '../lazy.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

/** The methods that concern revocations. */
export function revocationMethods(connection: Connection) {
  const { read, write } = connection
  const statements = lazily(() => prepareStatements(connection))
  return {
    revoke: (subject, until) =>
      write(() => {
        const now = Date.now()
        return statements().note.all({ subject, until: until.getTime(), now })[0]?.version ?? now
      }),
    getRevocations: (subjects) =>
      read(() => [...new Set(subjects)].flatMap((subject) => statements().bySubject.all({ subject }))),
    listRevocations: (from, most) => read(() => statements().since.all({ since: from.getTime(), most }))
  } satisfies RevocationStore
}

function prepareStatements({ db, tables }: Connection) {
  const { posternRevocations: revocations } = tables
  const { subject, version, until } = revocations
  const fields = { subject, version, until }
  const note = db
    .insert(revocations)
    .values({ subject: named('subject'), version: named('now'), until: named('until'), noted: named('now') })
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
    .where(eq(subject, named('subject')))
    .prepare()
  const since = db
    .select(fields)
    .from(revocations)
    .where(gte(revocations.noted, named('since')))
    .orderBy(asc(revocations.noted), asc(version))
    .limit(sql.placeholder('most'))
    .prepare()
  return { note, bySubject, since }
}
