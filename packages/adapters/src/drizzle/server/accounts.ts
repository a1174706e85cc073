import type { Account, AccountKey, NewUser } from '@postern/core'
import { and, eq, type SQL } from 'drizzle-orm'
import type { AccountMethods, UserIdMethods } from '../../methods.ts'
import { type AccountRow, isExchange, toAccountPatch, toAccountRow } from '../../rows.ts'
import { toUserRow, type UserRow } from '../../user-columns.ts'
import { lazy } from '../lazy.ts'
import { writableFields } from '../table-options.ts'
import type { ServerConnection } from './connection.ts'

/** The account that an update expects. */
export type Expected = Parameters<typeof isExchange>[0]

/** The written fields of an account. */
export type Written = AccountKey & Partial<AccountRow>

/** The statements that write an account. */
export interface AccountStatements extends UserIdMethods {
  readonly find: (key: AccountKey) => Promise<AccountRow | null>
  /** @returns The row as it is stored. */
  readonly insert: (row: AccountRow) => Promise<AccountRow>
  /** Updates an account, and compares its user. @returns `false` if it has another one. */
  readonly update: (key: AccountKey, patch: Partial<AccountRow>, expected: Expected) => Promise<Written | null | false>
  /** Updates an account that has this refresh token and user. @returns `false` if it does not. */
  readonly exchange: (
    key: AccountKey,
    patch: Partial<AccountRow>,
    expected: NonNullable<Expected>
  ) => Promise<Written | false>
  /** Inserts a user and an account. @returns The user as stored; `null` if that has to be read. */
  readonly insertBoth: (user: UserRow, account: AccountRow) => Promise<UserRow | null>
  readonly isAccount: (key: AccountKey) => SQL | undefined
}

/** The methods that write accounts. */
export function accountMethods(
  connection: ServerConnection,
  { find, insert, update, exchange, insertBoth, isAccount, createUserId }: AccountStatements
) {
  const { fit, retryIdempotent, runOnce } = connection
  const { users, accounts } = connection.tables
  const writable = lazy(() => writableFields(users))
  const findBoth = createFindBoth(connection, isAccount)
  const replaceToken = (key: AccountKey, changes: Partial<AccountRow>, before: NonNullable<Expected>) => {
    const expected = before.refresh_token ?? null
    const patch = () => ({ refresh_token: expected, ...fit(accounts, changes) })
    return runOnce<Written | false>(
      () => exchange(key, patch(), before),
      async () => {
        const found = await find(key)
        if (!found || found.refresh_token === expected) return null
        return found.refresh_token === patch().refresh_token ? found : false
      }
    )
  }
  return {
    linkAccount: (account) =>
      runOnce(
        () => insert(fit(accounts, toAccountRow(account, account.userId))),
        async () => {
          const found = await find(account)
          return found?.userId === account.userId ? found : null
        }
      ),
    updateAccount: ({ provider, providerAccountId, ...changes }, expected) => {
      const [key, patch] = [{ provider, providerAccountId }, toAccountPatch(changes)]
      if (isExchange(expected)) return replaceToken(key, patch, expected)
      return retryIdempotent(() => update(key, fit(accounts, patch), expected))
    },
    createUserWithAccount: async (user: NewUser, account: Account) => {
      const id = user.id || (await createUserId(user))
      return runOnce(
        async () => {
          const row = fit(users, toUserRow(user, id, writable()))
          const stored = await insertBoth(row, fit(accounts, toAccountRow(account, id)))
          return stored ?? (await findBoth(id, account)) ?? row
        },
        () => findBoth(id, account)
      )
    }
  } satisfies Omit<AccountMethods, 'unlinkAccount' | 'getAccounts'>
}

/** Creates the function that finds a user by id and account. */
function createFindBoth({ tables, statements }: ServerConnection, isAccount: AccountStatements['isAccount']) {
  const { users, accounts } = tables
  return async (id: string, key: AccountKey): Promise<UserRow | null> => {
    const both = statements.prepareJoin<{ readonly user: UserRow }>(() => ({
      fields: { user: users },
      from: accounts,
      inner: [users, eq(users.id, accounts.userId)],
      where: and(statements.isExactly(users.id, id), isAccount(key))
    }))
    return (await both.first({}))?.user ?? null
  }
}
