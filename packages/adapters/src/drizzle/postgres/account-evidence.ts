import { eq } from 'drizzle-orm'
import type { AccountEvidenceMethods } from '../../methods.ts'
import { toEvidenceRow } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

/** The methods for evidence of accounts. */
export function accountEvidenceMethods({ db, tables, fit, retryIdempotent }: Connection): AccountEvidenceMethods {
  const { posternAccounts } = tables
  const byUser = lazy(() =>
    db
      .select()
      .from(posternAccounts)
      .where(eq(posternAccounts.userId, placeholder('userId')))
      .prepare(unnamedPlaceholder)
  )
  return {
    putAccountEvidence: async (evidence) => {
      const { provider, providerAccountId, ...changes } = fit(posternAccounts, toEvidenceRow(evidence))
      const target = [posternAccounts.provider, posternAccounts.providerAccountId]
      await retryIdempotent(() =>
        db
          .insert(posternAccounts)
          .values({ provider, providerAccountId, ...changes })
          .onConflictDoUpdate({ target, set: changes })
      )
    },
    getAccountEvidence: (userId) => retryIdempotent(() => byUser().execute({ userId }))
  }
}
