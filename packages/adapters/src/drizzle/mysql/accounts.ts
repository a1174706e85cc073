import type { Account, AccountKey, NewUser } from '@postern/core'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { AccountMethods } from '../../methods.ts'
import { type AccountRow, isExchange, isExpectedAccount, toAccountPatch, toAccountRow } from '../../rows.ts'
import { toUserRow, type UserRow } from '../../user-columns.ts'
import { lazy } from '../lazy.ts'
import { extraFields, writableFields } from '../table-options.ts'
import { createAccountKeys } from './account-keys.ts'
import type { Connection } from './connection.ts'
import { getAffectedRows } from './results.ts'
import { userIdMethods } from './user-ids.ts'

type Expected = Parameters<typeof isExchange>[0]

/** The written fields of an account. */
type Written = AccountKey & Partial<AccountRow>

/** The methods for accounts. */
export function accountMethods(connection: Connection) {
  const { db, tables, fit, isExactly, retryIdempotent, runOnce } = connection
  const { accounts } = tables
  const { isKey, insertAlone, toRow } = createAccountKeys(connection)
  const isUser = createIsUser(connection)
  const exchange = createExchange(connection)
  const find = createFind(connection)
  const byUser = lazy(() =>
    db
      .select()
      .from(accounts)
      .where(isExactly(accounts.userId, sql.placeholder('userId')))
      .prepare()
  )
  return {
    linkAccount: (account) => {
      const row = () => fit(accounts, toAccountRow(account, account.userId))
      return runOnce(
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
    unlinkAccount: createUnlink(connection),
    createUserWithAccount: createBoth(connection),
    updateAccount: ({ provider, providerAccountId, ...changes }, expected) => {
      const key = { provider, providerAccountId }
      if (isExchange(expected)) return exchange(key, toAccountPatch(changes), expected)
      return retryIdempotent(async () => {
        const patch = fit(accounts, toAccountPatch(changes))
        const isAccount = and(isKey(key), isUser(expected))
        const isWritten =
          Object.keys(patch).length > 0 && hasAffected(await db.update(accounts).set(patch).where(isAccount))
        if (isWritten) return { ...key, ...patch }
        // Pools can be configured to count only rows that the statement changed.
        const found = await find(key)
        return expected && !isExpectedAccount(found, expected) ? false : found
      })
    },
    getAccounts: async (userId) => (await retryIdempotent(() => byUser().execute({ userId }))).map(toRow)
  } satisfies AccountMethods
}

/** The condition that an account is linked to the expected user, if a user is expected. */
function createIsUser({ tables, isExactly }: Connection) {
  return (expected: Expected) =>
    expected?.userId === undefined ? undefined : isExactly(tables.accounts.userId, expected.userId)
}

/** Whether a statement changed the account, which may be stored in both forms. */
const hasAffected = (result: unknown): boolean => Number(getAffectedRows(result)) > 0

function createUnlink(connection: Connection): (key: AccountKey) => Promise<AccountRow | null> {
  const { db, tables, isExactly, retryIdempotent } = connection
  const { posternAccounts: evidence } = tables
  const { isKey } = createAccountKeys(connection)
  const find = createFind(connection)
  return (key) =>
    retryIdempotent(async () => {
      const found = await find(key)
      // The evidence is deleted first: a crash between the statements leaves none without its account.
      const isEvidence = and(
        isExactly(evidence.provider, key.provider),
        isExactly(evidence.providerAccountId, key.providerAccountId)
      )
      await db.delete(evidence).where(isEvidence)
      if (!found) return null
      return hasAffected(await db.delete(tables.accounts).where(isKey(key))) ? found : null
    })
}

function createFind(connection: Connection): (key: AccountKey) => Promise<AccountRow | null> {
  const { db, tables } = connection
  const { isKey, toRow } = createAccountKeys(connection)
  return async (key) => {
    const [found] = await db.select().from(tables.accounts).where(isKey(key))
    return found ? toRow(found) : null
  }
}

/** Updates the account if it still has this refresh token. @returns `false` if it does not. */
function createExchange(connection: Connection) {
  const { db, tables, fit, isExactly, runOnce } = connection
  const { accounts } = tables
  const { isKey } = createAccountKeys(connection)
  const isUser = createIsUser(connection)
  const find = createFind(connection)
  return (key: AccountKey, changes: Partial<AccountRow>, before: NonNullable<Expected>): Promise<Written | false> => {
    const expected = before.refresh_token ?? null
    const patch = () => ({ refresh_token: expected, ...fit(accounts, changes) })
    const { refresh_token } = accounts
    const isExpected = expected === null ? isNull(refresh_token) : isExactly(refresh_token, expected)
    return runOnce(
      async () => {
        const result = await db
          .update(accounts)
          .set(patch())
          .where(and(isKey(key), isExpected, isUser(before)))
        if (hasAffected(result)) return { ...key, ...patch() }
        const found = await find(key)
        // Pools can be configured to count only rows that the statement changed.
        return found && isExpectedAccount(found, before) ? found : false
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
  const { db, tables, fit, isExactly, runOnce, transaction } = connection
  const { users, accounts } = tables
  const { isKey, insert } = createAccountKeys(connection)
  const extra = lazy(() => extraFields(users))
  const writable = lazy(() => writableFields(users))
  const { createUserId } = userIdMethods(connection)
  return async (user: NewUser, account: Account): Promise<UserRow> => {
    const id = user.id || (await createUserId(user))
    const find = async (): Promise<UserRow | null> => {
      const isBoth = and(isExactly(users.id, id), isKey(account))
      const [found] = await db
        .select({ user: users })
        .from(accounts)
        .innerJoin(users, eq(users.id, accounts.userId))
        .where(isBoth)
      return found?.user ?? null
    }
    return runOnce(async () => {
      const created = fit(users, toUserRow(user, id, writable()))
      await transaction(async (db) => {
        await db.insert(users).values(created)
        await insert(db, fit(accounts, toAccountRow(account, id)))
      })
      return extra().length > 0 ? ((await find()) ?? created) : created
    }, find)
  }
}
