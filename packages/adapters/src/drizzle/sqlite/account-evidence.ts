import type { AccountEvidence, AccountKey } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { AccountEvidenceMethods } from '../../methods.ts'
import { toEvidenceRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholders } from '../placeholder.ts'
import { tableColumns } from '../table-columns.ts'
import type { Connection } from './connection.ts'

const { provider, providerAccountId, ...columns } = placeholders(tableColumns.evidence.columns)

/** The synchronous parts of the methods that a transaction may contain. */
export function accountEvidenceOperations({ db, tables }: Connection) {
  const { posternAccounts } = tables
  const bind = createEncode(posternAccounts)
  const isKey = and(eq(posternAccounts.provider, provider), eq(posternAccounts.providerAccountId, providerAccountId))
  const put = lazy(() =>
    db
      .insert(posternAccounts)
      .values({ provider, providerAccountId, ...columns })
      .onConflictDoUpdate({ target: [posternAccounts.provider, posternAccounts.providerAccountId], set: columns })
      .prepare()
  )
  const remove = lazy(() => db.delete(posternAccounts).where(isKey).prepare())
  return {
    putAccountEvidence: (evidence: AccountEvidence): void => void put().run(bind(toEvidenceRow(evidence))),
    deleteAccountEvidence: ({ provider, providerAccountId }: AccountKey): void =>
      void remove().run({ provider, providerAccountId })
  }
}

/** The methods for evidence of accounts. */
export function accountEvidenceMethods({
  db,
  tables,
  read
}: Connection): Pick<AccountEvidenceMethods, 'getAccountEvidence'> {
  const { posternAccounts } = tables
  const byUser = lazy(() =>
    db.select().from(posternAccounts).where(eq(posternAccounts.userId, columns.userId)).prepare()
  )
  return {
    getAccountEvidence: (userId) => read(() => byUser().all({ userId }))
  }
}
