import { randomUUID } from 'node:crypto'
import type { Account, AccountKey, NewUser } from '@postern/core'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { type AccountRow, toAccountPatch, toAccountRow, toUserRow, type UserRow } from '../../rows.ts'
import { lazily } from '../lazy.ts'
import { extraFields } from '../table-options.ts'
import { createAccountKeys } from './account-keys.ts'
import { affectedRowsOf, type Connection } from './connection.ts'

/** An account, as far as it was written. */
type Written = AccountKey & Partial<AccountRow>

/** The methods that concern accounts. */
export function accountMethods(connection: Connection) {
  const { db, tables, fit, isExactly, safe, once } = connection
  const { accounts } = tables
  const { isKey, insertAlone, toRow } = createAccountKeys(connection)
  const exchange = createExchange(connection)
  const find = createFind(connection)
  const byUser = lazily(() =>
    db
      .select()
      .from(accounts)
      .where(isExactly(accounts.userId, sql.placeholder('userId')))
      .prepare()
  )
  return {
    linkAccount: (account) => {
      const row = () => fit(accounts, toAccountRow(account, account.userId))
      return once(
        async () => {
          const linked = row()
          await insertAlone(linked)
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
        return hasAffected(await db.delete(accounts).where(isKey(key))) ? found : null
      }),
    createUserWithAccount: createBoth(connection),
    updateAccount: ({ provider, providerAccountId, ...changes }, expected) => {
      const key = { provider, providerAccountId }
      if (expected) return exchange(key, toAccountPatch(changes), expected.refresh_token ?? null)
      return safe(async () => {
        const patch = fit(accounts, toAccountPatch(changes))
        const isWritten =
          Object.keys(patch).length > 0 && hasAffected(await db.update(accounts).set(patch).where(isKey(key)))
        // Pools may be told to count only those rows that are other than before.
        return isWritten ? { ...key, ...patch } : find(key)
      })
    },
    getAccounts: async (userId) => (await safe(() => byUser().execute({ userId }))).map(toRow)
  } satisfies AccountMethods
}

/** Whether a statement has changed the account, which may be there in both spellings. */
const hasAffected = (result: unknown): boolean => Number(affectedRowsOf(result)) > 0

function createFind(connection: Connection): (key: AccountKey) => Promise<AccountRow | null> {
  const { db, tables } = connection
  const { isKey, toRow } = createAccountKeys(connection)
  return async (key) => {
    const [found] = await db.select().from(tables.accounts).where(isKey(key))
    return found ? toRow(found) : null
  }
}

/** Writes where the account still has this refresh token. @returns `false` where it has not. */
function createExchange(connection: Connection) {
  const { db, tables, fit, isExactly, once } = connection
  const { accounts } = tables
  const { isKey } = createAccountKeys(connection)
  const find = createFind(connection)
  return (key: AccountKey, changes: Partial<AccountRow>, expected: string | null): Promise<Written | false> => {
    const patch = () => ({ refresh_token: expected, ...fit(accounts, changes) })
    const { refresh_token } = accounts
    const isExpected = expected === null ? isNull(refresh_token) : isExactly(refresh_token, expected)
    return once(
      async () => {
        const result = await db
          .update(accounts)
          .set(patch())
          .where(and(isKey(key), isExpected))
        if (hasAffected(result)) return { ...key, ...patch() }
        const found = await find(key)
        // Pools may be told to count only those rows that are other than before.
        return found?.refresh_token === expected ? found : false
      },
      async () => {
        const found = await find(key)
        if (!found || found.refresh_token === expected) return null
        return found.refresh_token === patch().refresh_token ? found : false
      }
    )
  }
}

function createBoth(connection: Connection) {
  const { db, tables, fit, isExactly, once, transaction } = connection
  const { users, accounts } = tables
  const { isKey, insert } = createAccountKeys(connection)
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
        await insert(db, fit(accounts, toAccountRow(account, row.id)))
      })
      return extra.length > 0 ? ((await find()) ?? created) : created
    }, find)
  }
}
