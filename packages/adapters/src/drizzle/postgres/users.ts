import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { DeletionMethods, UserMethods } from '../../methods.ts'
import { withoutClient } from '../../rows.ts'
import type { UserRow } from '../../user-columns.ts'
import { listOwnedTables } from '../owned-tables.ts'
import { rehearse } from '../rehearse.ts'
import * as server from '../server/users.ts'
import type { Access, Connection } from './connection.ts'
import { userIdMethods } from './user-ids.ts'

/** The methods that write users. */
export function userMethods(connection: Connection) {
  const { db, tables, retryIdempotent } = connection
  const { users } = tables
  return {
    ...server.userMethods(connection, {
      database: 'postgres',
      ...userIdMethods(connection),
      insert: async (row) => (await insertUser(connection, row).returning())[0] ?? row,
      update: async (id, patch) => (await db.update(users).set(patch).where(eq(users.id, id)).returning())[0]
    }),
    deleteUser: async (id) => (await retryIdempotent(() => deleteWithRows(connection, id)))[0] ?? null
  } satisfies Pick<UserMethods, 'createUser' | 'updateUser' | 'deleteUser'>
}

/** The method that tries to delete a user. */
export function deletionMethods({ tables, retryIdempotent, transaction }: Access): DeletionMethods {
  return {
    checkUserDeletion: (id) =>
      retryIdempotent(() =>
        rehearse(transaction, async (db) => {
          await deleteWithRows({ db, tables }, id)
          // The application's constraints may be checked at the commit.
          await db.execute(sql`set constraints all immediate`)
        })
      )
  }
}

/** The statement that inserts a user: an identity column accepts the value that its sequence has given. */
export function insertUser({ db, tables: { users }, fit, notes }: Connection, row: UserRow) {
  const insert = db.insert(users)
  return (notes.hasIntegerIds ? insert.overridingSystemValue() : insert).values(fit(users, row))
}

/** Deletes a user and everything that belongs to them, and the client of their events, in one statement. */
function deleteWithRows({ db, tables }: Pick<Connection, 'db' | 'tables'>, id: string) {
  const { users, posternEvents: events, posternUsers: versions } = tables
  const owned = listOwnedTables<PgTable & { readonly userId: PgColumn }>(tables).map((table, index) => {
    const deleted = db.delete(table).where(eq(table.userId, id)).returning({ userId: table.userId })
    return db.$with(`owned_${index}`).as(deleted)
  })
  return (
    db
      .with(
        db
          .$with('events')
          .as(db.update(events).set(withoutClient).where(eq(events.userId, id)).returning({ userId: events.userId })),
        ...owned,
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
