import { randomUUID } from 'node:crypto'
import type { Account, AccountKey, NewUser } from '@postern/core'
import { and, eq, isNull } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { type AccountRow, toAccountPatch, toAccountRow, toUserRow, type UserRow } from '../../rows.ts'
import { lazily } from '../lazily.ts'
import { named } from '../named.ts'
import { extraFields } from '../tables.ts'
import { affectedRowsOf, type Connection } from './connection.ts'
import { isExactly } from './exact.ts'

/** An account, as far as it was written. */
type Written = AccountKey & Partial<AccountRow>

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
      .where(isExactly(accounts.userId, named('userId')))
      .prepare()
  )
  return {
    linkAccount: (account) => {
      const row = () => fit(accounts, toAccountRow(account, account.userId))
      return once(
        async () => {
          const linked = row()
          await db.insert(accounts).values(linked)
          return linked
        },
        async () => {
          const found = await find(account)
          return found?.userId === account.userId ? found : null
        }
      )
    },
    unlinkAccount: (key) =>
      safe(async () => {
        const found = await find(key)
        if (!found) return null
        return affectedRowsOf(await db.delete(accounts).where(isKey(key))) === 1 ? found : null
      }),
    createUserWithAccount: createBoth(connection),
    updateAccount: ({ provider, providerAccountId, ...changes }, expected) => {
      const key = { provider, providerAccountId }
      if (expected) return exchange(key, toAccountPatch(changes), expected.refresh_token ?? null)
      return safe(async () => {
        const patch = fit(accounts, toAccountPatch(changes))
        const isWritten =
          Object.keys(patch).length > 0 && affectedRowsOf(await db.update(accounts).set(patch).where(isKey(key))) === 1
        // Pools may be told to count only those rows that are other than before.
        return isWritten ? { ...key, ...patch } : find(key)
      })
    },
    getAccounts: (userId) => safe(() => byUser().execute({ userId }))
  } satisfies AccountMethods
}

function createIsKey(accounts: Connection['tables']['accounts']) {
  return ({ provider, providerAccountId }: AccountKey) =>
    and(isExactly(accounts.provider, provider), isExactly(accounts.providerAccountId, providerAccountId))
}

/** Writes where the account still has this refresh token. @returns `false` where it has not. */
function createExchange({ db, tables, fit, once }: Connection) {
  const { accounts } = tables
  const isKey = createIsKey(accounts)
  return (key: AccountKey, changes: Partial<AccountRow>, expected: string | null): Promise<Written | false> => {
    const patch = () => ({ refresh_token: expected, ...fit(accounts, changes) })
    const { refresh_token } = accounts
    const isExpected = expected === null ? isNull(refresh_token) : isExactly(refresh_token, expected)
    const find = async (): Promise<AccountRow | null> => (await db.select().from(accounts).where(isKey(key)))[0] ?? null
    return once(
      async () => {
        const result = await db
          .update(accounts)
          .set(patch())
          .where(and(isKey(key), isExpected))
        if (affectedRowsOf(result) === 1) return { ...key, ...patch() }
        const found = await find()
        // Pools may be told to count only those rows that are other than before.
        return found?.refresh_token === expected ? found : false
      },
      async () => {
        const found = await find()
        if (!found || found.refresh_token === expected) return null
        return found.refresh_token === patch().refresh_token ? found : false
      }
    )
  }
}

function createBoth({ db, tables, fit, once, transaction }: Connection) {
  const { users, accounts } = tables
  const isKey = createIsKey(accounts)
  const extra = extraFields(users)
  return (user: NewUser, account: Account): Promise<UserRow> => {
    const row = toUserRow(user, user.id || randomUUID(), extra)
    const find = async (): Promise<UserRow | null> => {
      const isBoth = and(isExactly(users.id, row.id), isKey(account))
      const [found] = await db
        .select({ user: users })
        .from(accounts)
        .innerJoin(users, eq(users.id, accounts.userId))
        .where(isBoth)
      return found?.user ?? null
    }
    return once(async () => {
      const created = fit(users, row)
      await transaction(async (db) => {
        await db.insert(users).values(created)
        await db.insert(accounts).values(fit(accounts, toAccountRow(account, row.id)))
      })
      return extra.length > 0 ? ((await find()) ?? created) : created
    }, find)
  }
}
