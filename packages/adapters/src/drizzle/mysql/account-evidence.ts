import type { AccountKey } from '@postern/core'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AccountEvidenceMethods } from '../../methods.ts'
import { type EvidenceRow, toEvidenceRow } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import type { Connection } from './connection.ts'
import { errorClassifier } from './driver-errors.ts'

/** The methods for evidence of accounts. */
export function accountEvidenceMethods(connection: Connection): AccountEvidenceMethods {
  const { db, tables, fit, isExactly, retryIdempotent } = connection
  const { posternAccounts } = tables
  const byUser = lazy(() =>
    db
      .select()
      .from(posternAccounts)
      .where(isExactly(posternAccounts.userId, sql.placeholder('userId')))
      .prepare()
  )
  return {
    putAccountEvidence: async (evidence) => {
      await retryIdempotent(() => putEvidence(connection, fit(posternAccounts, toEvidenceRow(evidence))))
    },
    getAccountEvidence: (userId) => retryIdempotent(() => byUser().execute({ userId }))
  }
}

/** The condition for the evidence of one account. */
export function isEvidenceKey({ tables, isExactly }: Connection, key: AccountKey): SQL | undefined {
  const { provider, providerAccountId } = tables.posternAccounts
  return and(isExactly(provider, key.provider), isExactly(providerAccountId, key.providerAccountId))
}

/**
 * Inserts or replaces a row.
 *
 * `on duplicate key update` would overwrite the evidence of another account if the table was created with a collation
 * that treats the two keys as equal.
 */
async function putEvidence(connection: Connection, row: EvidenceRow): Promise<void> {
  const { db, tables } = connection
  const { posternAccounts } = tables
  const { provider, providerAccountId, ...changes } = row
  const isKey = isEvidenceKey(connection, row)
  try {
    await db.insert(posternAccounts).values(row)
  } catch (error) {
    if (!errorClassifier.isDuplicate(error)) throw error
    const found = await db
      .select({ provider: posternAccounts.provider })
      .from(posternAccounts)
      .where(isKey)
      .for('update')
    if (found.length === 0) throw error
    await db.update(posternAccounts).set(changes).where(isKey)
  }
}
