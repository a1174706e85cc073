import { sql } from 'drizzle-orm'
import type { UserMethods } from '../../methods.ts'
import { withoutClient } from '../../rows.ts'
import { toUserPatch, toUserRow, type UserRow } from '../../user-columns.ts'
import { lazy } from '../lazy.ts'
import { userQueries } from '../server/users.ts'
import { extraFields, writableFields } from '../table-options.ts'
import type { Connection } from './connection.ts'
import { userByAccountMethods } from './user-by-account.ts'
import { userByEmailMethods } from './user-by-email.ts'
import { userIdMethods } from './user-ids.ts'
import { withVersion } from './user-versions.ts'

/** The methods for users. */
export function userMethods(connection: Connection) {
  const { db, tables, fit, isExactly, retryIdempotent, runOnce, transaction } = connection
  const { users } = tables
  const { createUserId } = userIdMethods(connection)
  const byAccount = userByAccountMethods(connection)
  const byEmail = userByEmailMethods(connection)
  const extra = lazy(() => extraFields(users))
  const writable = lazy(() => writableFields(users))
  const versionById = lazy(() => prepareVersionById(connection))
  const { find, listUsers } = userQueries(connection)
  return {
    createUser: async (user) => {
      const id = user.id || (await createUserId(user))
      return runOnce(
        async () => {
          const created = fit(users, toUserRow(user, id, writable()))
          await db.insert(users).values(created)
          return extra().length > 0 ? ((await find(id)) ?? created) : created
        },
        async () => {
          const found = await find(id)
          return found?.email === toUserRow(user, id).email ? found : null
        }
      )
    },
    getUser: (id) => retryIdempotent(() => find(id)),
    getUserByEmail: byEmail.getUserByEmail,
    findProblems: byEmail.findProblems,
    findUserVersion: async (by) => {
      if ('email' in by) return byEmail.find(by.email)
      if ('account' in by) return byAccount.find(by.account)
      return (await retryIdempotent(() => versionById().execute({ id: by.userId })))[0] ?? null
    },
    getUserByAccount: byAccount.getUserByAccount,
    updateUser: async ({ id, ...changes }) => {
      const row = await retryIdempotent(async () => {
        const patch = fit(users, toUserPatch(changes, writable()))
        if (Object.keys(patch).length > 0) await db.update(users).set(patch).where(isExactly(users.id, id))
        return find(id)
      })
      if (!row) throw new Error('mysql: updateUser: expected the id of an existing user')
      return row
    },
    deleteUser: (id) => retryIdempotent(() => transaction((db) => deleteWithRows({ db, tables, isExactly }, id))),
    listUsers
  } satisfies UserMethods
}

/** Deletes a user and everything that belongs to them, and the client of their events, in a transaction. */
export async function deleteWithRows(
  { db, tables, isExactly }: Pick<Connection, 'db' | 'tables' | 'isExactly'>,
  id: string
): Promise<UserRow | null> {
  const { users, accounts, sessions, posternSessions, posternAccounts, posternTickets, posternFactors } = tables
  const { posternEvents: events, posternUsers: versions } = tables
  // The row of the version is locked first, as by each sign-in: two that lock in another order deadlock.
  await db
    .update(versions)
    .set({ deleteAfter: sql`coalesce(${versions.until}, utc_timestamp(3))` })
    .where(isExactly(versions.userId, id))
  const [user] = await db.select().from(users).where(isExactly(users.id, id))
  await db.delete(sessions).where(isExactly(sessions.userId, id))
  await db.delete(posternSessions).where(isExactly(posternSessions.userId, id))
  await db.delete(posternTickets).where(isExactly(posternTickets.userId, id))
  await db.delete(posternFactors).where(isExactly(posternFactors.userId, id))
  await db.delete(posternAccounts).where(isExactly(posternAccounts.userId, id))
  await db.update(events).set(withoutClient).where(isExactly(events.userId, id))
  await db.delete(accounts).where(isExactly(accounts.userId, id))
  await db.delete(users).where(isExactly(users.id, id))
  return user ?? null
}

function prepareVersionById({ db, tables, isExactly, columnLimits }: Connection) {
  return withVersion({ db, tables, columnLimits })
    .where(isExactly(tables.users.id, sql.placeholder('id')))
    .prepare()
}
