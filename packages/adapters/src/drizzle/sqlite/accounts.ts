import type { AccountKey, AdapterAccount } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { type AccountRow, toAccountPatch, toAccountRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazily } from '../lazy.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'
import { createPatch } from './patch.ts'
import type { userOperations } from './users.ts'

const { provider, providerAccountId, ...columns } = {
  userId: named('userId'),
  type: named('type'),
  provider: named('provider'),
  providerAccountId: named('providerAccountId'),
  refresh_token: named('refresh_token'),
  access_token: named('access_token'),
  expires_at: named('expires_at'),
  token_type: named('token_type'),
  scope: named('scope'),
  id_token: named('id_token'),
  session_state: named('session_state')
}

/** What is done when it returns: the parts of the methods that may be in a batch. */
export function accountOperations(connection: Connection) {
  const bind = createEncode(connection.tables.accounts)
  const statements = prepareChanges(connection)
  return {
    linkAccount: (account: AdapterAccount): AccountRow => {
      const row = toAccountRow(account, account.userId)
      statements.insert().run(bind(row))
      return row
    },
    unlinkAccount: ({ provider, providerAccountId }: AccountKey): AccountRow | null =>
      statements.delete().all({ provider, providerAccountId })[0] ?? null,
    updateAccount: (...[account, expected]: Parameters<AccountMethods['updateAccount']>): AccountRow | null | false => {
      const { provider, providerAccountId, ...changes } = account
      if (!expected) {
        const { statement, bind } = statements.patch()
        return statement.all({ provider, providerAccountId, ...bind(toAccountPatch(changes)) })[0] ?? null
      }
      const before = statements.byKey().get({ provider, providerAccountId })
      if (!before || before.refresh_token !== (expected.refresh_token ?? null)) return false
      const row = { ...before, ...toAccountPatch(changes) }
      statements.update().run(bind(row))
      return row
    }
  }
}

/** The methods that concern accounts. */
export function accountMethods(
  { db, tables, read, write, transaction }: Connection,
  operations: ReturnType<typeof accountOperations> & Pick<ReturnType<typeof userOperations>, 'createUser'>
) {
  const { accounts } = tables
  const byUser = lazily(() => db.select().from(accounts).where(eq(accounts.userId, columns.userId)).prepare())
  return {
    linkAccount: (account) => write(() => operations.linkAccount(account)),
    unlinkAccount: (key) => write(() => operations.unlinkAccount(key)),
    createUserWithAccount: (user, account) =>
      transaction(() => {
        const row = operations.createUser(user)
        operations.linkAccount({ ...account, userId: row.id })
        return row
      }),
    updateAccount: (account, expected) => {
      const run = expected ? transaction : write
      return run(() => operations.updateAccount(account, expected))
    },
    getAccounts: (userId) => read(() => byUser().all({ userId }))
  } satisfies AccountMethods
}

function prepareChanges({ db, tables }: Connection) {
  const { accounts } = tables
  const isKey = and(eq(accounts.provider, provider), eq(accounts.providerAccountId, providerAccountId))
  return {
    patch: lazily(() => {
      const { set, bind } = createPatch(accounts, Object.keys(columns))
      return { bind, statement: db.update(accounts).set(set).where(isKey).returning().prepare() }
    }),
    insert: lazily(() =>
      db
        .insert(accounts)
        .values({ provider, providerAccountId, ...columns })
        .prepare()
    ),
    byKey: lazily(() => db.select().from(accounts).where(isKey).prepare()),
    update: lazily(() => db.update(accounts).set(columns).where(isKey).prepare()),
    delete: lazily(() => db.delete(accounts).where(isKey).returning().prepare())
  }
}
