import type { Revocation } from '@postern/core'
import { asc, gte, sql } from 'drizzle-orm'
import type { TableAccess } from '../table-access.ts'
import { lazyByCount } from '../ticket-keys.ts'

/** Reads revocations of JWT sessions. */
export function revocationQueries({ tables: { posternRevocations: revocations }, statements }: TableAccess) {
  const { subject, version, until, noted } = revocations
  const fields = { subject, version, until }
  const bySubjects = lazyByCount((count) => {
    const names = Array.from({ length: count }, (_, index) => sql.placeholder(`${index}`))
    return statements.prepare<Revocation>(revocations, () => ({ fields, where: statements.isOneOf(subject, names) }))
  })
  const since = statements.prepare<Revocation>(revocations, () => ({
    fields,
    where: gte(noted, sql.placeholder('since')),
    orderBy: [asc(noted), asc(version)],
    limit: sql.placeholder('limit')
  }))
  return {
    getRevocations: (subjects: readonly string[]) =>
      subjects.length === 0 ? [] : bySubjects(subjects.length)({ ...subjects }),
    listRevocations: (from: Date, limit: number) => since({ since: from.getTime(), limit })
  }
}
