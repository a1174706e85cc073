import { sql } from 'drizzle-orm'
import type { AccountEvidenceMethods } from '../../methods.ts'
import { toEvidenceRow } from '../../rows.ts'
import type { ServerConnection } from './connection.ts'

/** The methods for evidence of accounts. */
export function accountEvidenceMethods({
  tables,
  statements,
  fit,
  retryIdempotent
}: ServerConnection): AccountEvidenceMethods {
  const { posternAccounts: evidence } = tables
  const key = { provider: evidence.provider, providerAccountId: evidence.providerAccountId }
  const byUser = statements.prepare(evidence, () => statements.isExactly(evidence.userId, sql.placeholder('userId')))
  return {
    putAccountEvidence: (proof) =>
      retryIdempotent(() => statements.upsert(evidence, key, { row: fit(evidence, toEvidenceRow(proof)) })),
    getAccountEvidence: (userId) => retryIdempotent(() => byUser({ userId }))
  }
}
