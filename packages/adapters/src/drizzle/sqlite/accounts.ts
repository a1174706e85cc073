import type { AccountKey, AdapterAccount } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { AccountMethods, UserIdMethods } from '../../methods.ts'
import { type AccountRow, isExchange, isExpectedAccount, toAccountPatch, toAccountRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholders } from '../placeholder.ts'
import { tableColumns } from '../table-columns.ts'
import type { Connection } from './connection.ts'
import { createPatch } from './patch.ts'
import type { userOperations } from './users.ts'

const { provider, providerAccountId, ...columns } = placeholders(tableColumns.accounts.columns)

/** The synchronous parts of the methods that a transaction may contain. */
export function accountOperations(connection: Connection) {
  const { accounts, posternAccounts: evidence } = connection.tables
  const bind = createEncode(accounts)
  const statements = prepareChanges(connection)
  const insert = connection.statements.insert(accounts)
  const key = { provider: evidence.provider, providerAccountId: evidence.providerAccountId }
  const deleteEvidence = connection.statements.delete(evidence, key)
  return {
    linkAccount: (account: AdapterAccount) => insert(toAccountRow(account, account.userId)),
    unlinkAccount: ({ provider, providerAccountId }: AccountKey): AccountRow | null => {
      deleteEvidence({ provider, providerAccountId })
      return statements.delete().all({ provider, providerAccountId })[0] ?? null
    },
    updateAccount: (...[account, expected]: Parameters<AccountMethods['updateAccount']>): AccountRow | null | false => {
      const { provider, providerAccountId, ...changes } = account
      if (!isExchange(expected)) {
        const written = statements.patch()({ provider, providerAccountId }, toAccountPatch(changes))
        return expected && !isExpectedAccount(written, expected) ? false : written
      }
      const before = statements.byKey().get({ provider, providerAccountId })
      if (!before || !isExpectedAccount(before, expected)) return false
      const row = { ...before, ...toAccountPatch(changes) }
      statements.update().run(bind(row))
      return row
    }
  }
}

/** The methods for accounts. */
export function accountMethods(
  { write, transaction }: Connection,
  operations: ReturnType<typeof accountOperations> &
    Pick<ReturnType<typeof userOperations>, 'createUser'> &
    UserIdMethods
) {
  return {
    createUserWithAccount: async (user, account) => {
      const id = user.id || (await operations.createUserId(user))
      return transaction(() => {
        const row = operations.createUser({ ...user, id })
        operations.linkAccount({ ...account, userId: row.id })
        return row
      })
    },
    updateAccount: (account, expected) => {
      const run = isExchange(expected) ? transaction : write
      return run(() => operations.updateAccount(account, expected))
    }
  } satisfies Pick<AccountMethods, 'createUserWithAccount' | 'updateAccount'>
}

function prepareChanges({ db, tables }: Connection) {
  const { accounts } = tables
  const isAccount = and(eq(accounts.provider, provider), eq(accounts.providerAccountId, providerAccountId))
  return {
    patch: lazy(() =>
      createPatch(accounts, Object.keys(columns), (set) =>
        db.update(accounts).set(set).where(isAccount).returning().prepare()
      )
    ),
    byKey: lazy(() => db.select().from(accounts).where(isAccount).prepare()),
    update: lazy(() => db.update(accounts).set(columns).where(isAccount).prepare()),
    delete: lazy(() => db.delete(accounts).where(isAccount).returning().prepare())
  }
}
