import type { Account, AccountKey, NewUser } from '@postern/core'
import { and, eq, isNull } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { type AccountRow, isExchange, isExpectedAccount, toAccountPatch, toAccountRow } from '../../rows.ts'
import { toUserRow, type UserRow } from '../../user-columns.ts'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import { createFind } from '../server/connection.ts'
import { writableFields } from '../table-options.ts'
import type { Connection } from './connection.ts'
import { userIdMethods } from './user-ids.ts'
import { insertUser } from './users.ts'

/** The methods for accounts. */
export function accountMethods(connection: Connection) {
  const { db, tables, fit, statements, retryIdempotent, runOnce } = connection
  const { accounts, posternAccounts } = tables
  const isKey = createIsKey(accounts)
  const exchange = createExchange(connection)
  const { provider, providerAccountId, userId } = accounts
  const find = createFind(connection, accounts, { provider, providerAccountId })
  const byUser = statements.prepare(accounts, () => eq(userId, placeholder('userId')))
  return {
    linkAccount: (account) => {
      const row = toAccountRow(account, account.userId)
      return runOnce(
        async () => (await db.insert(accounts).values(fit(accounts, row)).returning())[0] ?? row,
        async () => {
          const found = await find(row)
          return found?.userId === row.userId ? found : null
        }
      )
    },
    unlinkAccount: async (key) => {
      const isEvidence = and(
        eq(posternAccounts.provider, key.provider),
        eq(posternAccounts.providerAccountId, key.providerAccountId)
      )
      const [row] = await retryIdempotent(() => {
        const evidence = db.$with('evidence').as(db.delete(posternAccounts).where(isEvidence).returning())
        return db.with(evidence).delete(accounts).where(isKey(key)).returning()
      })
      return row ?? null
    },
    createUserWithAccount: createBoth(connection),
    updateAccount: async ({ provider, providerAccountId, ...changes }, expected) => {
      const key = { provider, providerAccountId }
      const patch = toAccountPatch(changes)
      if (isExchange(expected)) return exchange(key, patch, expected)
      const write = async () => (await db.update(accounts).set(fit(accounts, patch)).where(isKey(key)).returning())[0]
      const row = await retryIdempotent(() => (Object.keys(patch).length === 0 ? find(key) : write()))
      return expected && !isExpectedAccount(row, expected) ? false : (row ?? null)
    },
    getAccounts: (userId) => retryIdempotent(() => byUser({ userId }))
  } satisfies AccountMethods
}

function createIsKey(accounts: Connection['tables']['accounts']) {
  return ({ provider, providerAccountId }: AccountKey) =>
    and(eq(accounts.provider, provider), eq(accounts.providerAccountId, providerAccountId))
}

type Expected = Parameters<typeof isExchange>[0]

/** Updates the account if it still has this refresh token and user. @returns `false` if it does not. */
function createExchange({ db, tables, fit, runOnce }: Connection) {
  const { accounts } = tables
  const isKey = createIsKey(accounts)
  return (
    key: AccountKey,
    changes: Partial<AccountRow>,
    before: NonNullable<Expected>
  ): Promise<AccountRow | false> => {
    const expected = before.refresh_token ?? null
    const patch = () => ({ refresh_token: expected, ...fit(accounts, changes) })
    const isUser = before.userId === undefined ? undefined : eq(accounts.userId, before.userId)
    const isToken = expected === null ? isNull(accounts.refresh_token) : eq(accounts.refresh_token, expected)
    const isExpected = and(isToken, isUser)
    return runOnce(
      async () => {
        const [row] = await db
          .update(accounts)
          .set(patch())
          .where(and(isKey(key), isExpected))
          .returning()
        return row ?? false
      },
      async () => {
        const [found] = await db.select().from(accounts).where(isKey(key))
        if (!found || found.refresh_token === expected) return null
        return found.refresh_token === patch().refresh_token ? found : false
      }
    )
  }
}

/** One statement inserts both rows. */
function createBoth(connection: Connection) {
  const { db, tables, fit, runOnce } = connection
  const { users, accounts } = tables
  const isKey = createIsKey(accounts)
  const writable = lazy(() => writableFields(users))
  const { createUserId } = userIdMethods(connection)
  return async (user: NewUser, account: Account): Promise<UserRow> => {
    const id = user.id || (await createUserId(user))
    return runOnce(
      async () => {
        const row = toUserRow(user, id, writable())
        const first = fit(accounts, toAccountRow(account, row.id))
        const created = db.$with('created').as(insertUser(connection, row).returning())
        const linked = db.$with('linked').as(db.insert(accounts).values(first).returning())
        return (await db.with(created, linked).select().from(created))[0] ?? row
      },
      async () => {
        const isBoth = and(eq(users.id, id), isKey(account))
        const [found] = await db
          .select({ user: users })
          .from(accounts)
          .innerJoin(users, eq(users.id, accounts.userId))
          .where(isBoth)
        return found?.user ?? null
      }
    )
  }
}
