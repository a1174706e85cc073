import type { Revocation, RevocationStore } from '@postern/core'
import { asc, gte } from 'drizzle-orm'
import type { ServerConnection } from './connection.ts'

const toRevocation = ({ subject, version, until }: Revocation): Revocation => ({ subject, version, until })

/** The methods that read revocations of JWT sessions. */
export function revocationQueries({
  tables: { posternRevocations: revocations },
  statements,
  retryIdempotent
}: ServerConnection): Omit<RevocationStore, 'revoke'> {
  const { subject, version, noted } = revocations
  return {
    getRevocations: async (subjects) => {
      if (subjects.length === 0) return []
      const where = statements.isOneOf(subject, subjects)
      return (await retryIdempotent(() => statements.select(revocations, { where }))).map(toRevocation)
    },
    listRevocations: async (since, limit) => {
      const selection = { where: gte(noted, since.getTime()), orderBy: [asc(noted), asc(version)], limit }
      return (await retryIdempotent(() => statements.select(revocations, selection))).map(toRevocation)
    }
  }
}
