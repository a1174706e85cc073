import type { AccountEvidence } from '@postern/core'
import { toEvidenceRow } from '../../rows.ts'
import { isKey } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'

/** Reads evidence of accounts. */
export function accountEvidenceQueries({ tables: { posternAccounts: evidence }, statements }: TableAccess) {
  const { isExactly, prepare } = statements
  const byUser = prepare(evidence, () => ({ where: isKey(isExactly, { userId: evidence.userId }) }))
  return { getAccountEvidence: (userId: string) => byUser({ userId }) }
}

/** Writes evidence of accounts. */
export function accountEvidenceOperations({ tables: { posternAccounts: evidence }, statements }: TableAccess) {
  const { provider, providerAccountId } = evidence
  const put = statements.upsert(evidence, { provider, providerAccountId })
  return { putAccountEvidence: (proof: AccountEvidence) => put(toEvidenceRow(proof)) }
}
