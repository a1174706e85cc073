import { randomUUID } from 'node:crypto'
import type { Account, AccountKey, Adapter, NewUser } from '@postern/core'
import { load } from '../load.ts'
import { named } from '../named.ts'
import { type AccountRow, toAccountPatch, toAccountRow, toUserRow, type UserRow } from '../rows.ts'
import { extraFields } from '../tables.ts'
import { affectedRowsOf, type Connection } from './connection.ts'
import { isExactly } from './exact.ts'

const { and, eq }: typeof import('drizzle-orm') = load('drizzle-orm')

type AccountMethods = Pick<
  Required<Adapter>,
  'linkAccount' | 'unlinkAccount' | 'createUserWithAccount' | 'updateAccount' | 'getAccounts'
>

/** The methods that concern accounts. */
export function accountMethods(connection: Connection) {
  const { db, tables, fit, safe, once } = connection
  const { accounts } = tables
  const isKey = createIsKey(accounts)
  const find = async (key: AccountKey): Promise<AccountRow | null> =>
    (await db.select().from(accounts).where(isKey(key)))[0] ?? null
  const byUser = db
    .select()
    .from(accounts)
    .where(isExactly(accounts.userId, named('userId')))
    .prepare()
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
    updateAccount: ({ provider, providerAccountId, ...changes }) => {
      const key = { provider, providerAccountId }
      return safe(async () => {
        const patch = fit(accounts, toAccountPatch(changes))
        if (Object.keys(patch).length > 0) await db.update(accounts).set(patch).where(isKey(key))
        return find(key)
      })
    },
    getAccounts: (userId) => safe(() => byUser.execute({ userId }))
  } satisfies AccountMethods
}

function createIsKey(accounts: Connection['tables']['accounts']) {
  return ({ provider, providerAccountId }: AccountKey) =>
    and(isExactly(accounts.provider, provider), isExactly(accounts.providerAccountId, providerAccountId))
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
