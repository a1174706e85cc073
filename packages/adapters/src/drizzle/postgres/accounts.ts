import { randomUUID } from 'node:crypto'
import type { Account, AccountKey, NewUser } from '@postern/core'
import { and, eq, isNull } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { type AccountRow, toAccountPatch, toAccountRow, toUserRow, type UserRow } from '../../rows.ts'
import { lazily } from '../lazy.ts'
import { named, unnamed } from '../named.ts'
import { extraFields } from '../table-options.ts'
import type { Connection } from './connection.ts'

/** The methods that concern accounts. */
export function accountMethods(connection: Connection) {
  const { db, tables, fit, safe, once } = connection
  const { accounts } = tables
  const isKey = createIsKey(accounts)
  const exchange = createExchange(connection)
  const find = async (key: AccountKey): Promise<AccountRow | null> =>
    (await db.select().from(accounts).where(isKey(key)))[0] ?? null
  const byUser = lazily(() =>
    db
      .select()
      .from(accounts)
      .where(eq(accounts.userId, named('userId')))
      .prepare(unnamed)
  )
  return {
    linkAccount: (account) => {
      const row = toAccountRow(account, account.userId)
      return once(
        async () => (await db.insert(accounts).values(fit(accounts, row)).returning())[0] ?? row,
        async () => {
          const found = await find(row)
          return found?.userId === row.userId ? found : null
        }
      )
    },
    unlinkAccount: async (key) => {
      const [row] = await safe(() => db.delete(accounts).where(isKey(key)).returning())
      return row ?? null
    },
    createUserWithAccount: createBoth(connection),
    updateAccount: async ({ provider, providerAccountId, ...changes }, expected) => {
      const key = { provider, providerAccountId }
      const patch = toAccountPatch(changes)
      if (expected) return exchange(key, patch, expected.refresh_token ?? null)
      if (Object.keys(patch).length === 0) return safe(() => find(key))
      const [row] = await safe(() => db.update(accounts).set(fit(accounts, patch)).where(isKey(key)).returning())
      return row ?? null
    },
    getAccounts: (userId) => safe(() => byUser().execute({ userId }))
  } satisfies AccountMethods
}

function createIsKey(accounts: Connection['tables']['accounts']) {
  return ({ provider, providerAccountId }: AccountKey) =>
    and(eq(accounts.provider, provider), eq(accounts.providerAccountId, providerAccountId))
}

/** Writes where the account still has this refresh token. @returns `false` where it has not. */
function createExchange({ db, tables, fit, once }: Connection) {
  const { accounts } = tables
  const isKey = createIsKey(accounts)
  return (key: AccountKey, changes: Partial<AccountRow>, expected: string | null): Promise<AccountRow | false> => {
    const patch = () => ({ refresh_token: expected, ...fit(accounts, changes) })
    const isExpected = expected === null ? isNull(accounts.refresh_token) : eq(accounts.refresh_token, expected)
    return once(
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

/** Both rows are written by one statement. */
function createBoth({ db, tables, fit, once }: Connection) {
  const { users, accounts } = tables
  const isKey = createIsKey(accounts)
  const extra = extraFields(users)
  return (user: NewUser, account: Account): Promise<UserRow> => {
    const row = toUserRow(user, user.id || randomUUID(), extra)
    return once(
      async () => {
        const first = fit(accounts, toAccountRow(account, row.id))
        const created = db.$with('created').as(db.insert(users).values(fit(users, row)).returning())
        const linked = db.$with('linked').as(db.insert(accounts).values(first).returning())
        return (await db.with(created, linked).select().from(created))[0] ?? row
      },
      async () => {
        const isBoth = and(eq(users.id, row.id), isKey(account))
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
