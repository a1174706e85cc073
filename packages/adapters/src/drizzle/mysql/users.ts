import { sql } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { DeletionMethods, UserMethods } from '../../methods.ts'
import { withoutClient } from '../../rows.ts'
import type { UserRow } from '../../user-columns.ts'
import { lazy } from '../lazy.ts'
import { listOwnedTables } from '../owned-tables.ts'
import { rehearse } from '../rehearse.ts'
import * as server from '../server/users.ts'
import { extraFields } from '../table-options.ts'
import type { Access, Connection } from './connection.ts'
import { userIdMethods } from './user-ids.ts'

/** The methods that write users. */
export function userMethods(connection: Connection) {
  const { db, tables, fit, isExactly, statements, retryIdempotent, transaction } = connection
  const { users } = tables
  const extra = lazy(() => extraFields(users))
  const find = statements.find(users, { id: users.id })
  return {
    ...server.userMethods(connection, {
      database: 'mysql',
      ...userIdMethods(connection),
      insert: async (row) => {
        const created = fit(users, row)
        await db.insert(users).values(created)
        return extra().length > 0 ? ((await find({ id: row.id })) ?? created) : created
      },
      update: async (id, patch) => {
        await db.update(users).set(patch).where(isExactly(users.id, id))
        return find({ id })
      }
    }),
    deleteUser: (id) => retryIdempotent(() => transaction((db) => deleteWithRows({ db, tables, isExactly }, id)))
  } satisfies Pick<UserMethods, 'createUser' | 'updateUser' | 'deleteUser'>
}

/** The method that tries to delete a user. */
export function deletionMethods({ tables, isExactly, retryIdempotent, transaction }: Access): DeletionMethods {
  return {
    checkUserDeletion: (id) =>
      retryIdempotent(() => rehearse(transaction, (db) => deleteWithRows({ db, tables, isExactly }, id)))
  }
}

/** Deletes a user and everything that belongs to them, and the client of their events, in a transaction. */
async function deleteWithRows(
  { db, tables, isExactly }: Pick<Connection, 'db' | 'tables' | 'isExactly'>,
  id: string
): Promise<UserRow | null> {
  const { users, posternEvents: events, posternUsers: versions } = tables
  // The row of the version is locked first, as by each sign-in: two that lock in another order deadlock.
  await db
    .update(versions)
    .set({ deleteAfter: sql`coalesce(${versions.until}, utc_timestamp(3))` })
    .where(isExactly(versions.userId, id))
  const [user] = await db.select().from(users).where(isExactly(users.id, id))
  for (const table of listOwnedTables<MySqlTable & { readonly userId: MySqlColumn }>(tables))
    await db.delete(table).where(isExactly(table.userId, id))
  // Other transactions add their events last.
  await db.update(events).set(withoutClient).where(isExactly(events.userId, id))
  await db.delete(users).where(isExactly(users.id, id))
  return user ?? null
}
