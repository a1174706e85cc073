import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { UserMethods } from '../../methods.ts'
import { withoutClient } from '../../rows.ts'
import { toUserPatch, toUserRow, type UserRow } from '../../user-columns.ts'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import { userQueries } from '../server/users.ts'
import { writableFields } from '../table-options.ts'
import type { Connection } from './connection.ts'
import { userByAccountMethods } from './user-by-account.ts'
import { userByEmailMethods } from './user-by-email.ts'
import { userIdMethods } from './user-ids.ts'
import { withVersion } from './user-versions.ts'

/** The methods for users. */
export function userMethods(connection: Connection) {
  const { db, tables, fit, retryIdempotent, runOnce } = connection
  const { users } = tables
  const { createUserId } = userIdMethods(connection)
  const byAccount = userByAccountMethods(connection)
  const byEmail = userByEmailMethods(connection)
  const writable = lazy(() => writableFields(users))
  const versionById = lazy(() => prepareVersionById(connection))
  const { find, listUsers } = userQueries(connection)
  return {
    createUser: async (user) => {
      const id = user.id || (await createUserId(user))
      return runOnce(
        async () => {
          const row = toUserRow(user, id, writable())
          return (await insertUser(connection, row).returning())[0] ?? row
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
      const isId = eq(users.id, id)
      const row = await retryIdempotent(async () => {
        const patch = toUserPatch(changes, writable())
        if (Object.keys(patch).length === 0) return find(id)
        return (await db.update(users).set(fit(users, patch)).where(isId).returning())[0]
      })
      if (!row) throw new Error('postgres: updateUser: expected the id of an existing user')
      return row
    },
    deleteUser: async (id) => (await retryIdempotent(() => deleteWithRows(connection, id)))[0] ?? null,
    listUsers
  } satisfies UserMethods
}

/** The statement that inserts a user: an identity column accepts the value that its sequence has given. */
export function insertUser({ db, tables: { users }, fit, notes }: Connection, row: UserRow) {
  const insert = db.insert(users)
  return (notes.hasIntegerIds ? insert.overridingSystemValue() : insert).values(fit(users, row))
}

/** Deletes a user and everything that belongs to them, and the client of their events, in one statement. */
export function deleteWithRows({ db, tables }: Pick<Connection, 'db' | 'tables'>, id: string) {
  const { users, accounts, sessions, posternSessions, posternAccounts, posternTickets, posternFactors } = tables
  const { posternEvents: events, posternUsers: versions } = tables
  const getRows = (name: string, table: PgTable & { readonly userId: PgColumn }) =>
    db.$with(name).as(db.delete(table).where(eq(table.userId, id)).returning({ userId: table.userId }))
  return (
    db
      .with(
        db
          .$with('events')
          .as(db.update(events).set(withoutClient).where(eq(events.userId, id)).returning({ userId: events.userId })),
        getRows('ended', sessions),
        getRows('forgotten', posternSessions),
        getRows('evidence', posternAccounts),
        getRows('tickets', posternTickets),
        getRows('factors', posternFactors),
        getRows('unlinked', accounts),
        db.$with('left').as(
          db
            .update(versions)
            .set({ deleteAfter: sql`coalesce(${versions.until}, timezone('utc', now()))` })
            .where(eq(versions.userId, id))
            .returning({ userId: versions.userId })
        )
      )
      .delete(users)
      // The row of the version is locked first, as by each sign-in: two that lock in another order deadlock.
      .where(and(eq(users.id, id), sql`(select count(*) from ${sql.identifier('left')}) >= 0`))
      .returning()
  )
}

function prepareVersionById({ db, tables }: Connection) {
  return withVersion({ db, tables })
    .where(eq(tables.users.id, placeholder('id')))
    .prepare(unnamedPlaceholder)
}
