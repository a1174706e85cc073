import { randomUUID } from 'node:crypto'
import type { AdapterUser, NewUser } from '@postern/core'
import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { DeletionMethods, UserIdMethods, UserMethods } from '../../methods.ts'
import { withoutClient } from '../../rows.ts'
import { toUserPatch, toUserRow, type UserRow, userColumns } from '../../user-columns.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { listOwnedTables } from '../owned-tables.ts'
import { placeholder } from '../placeholder.ts'
import { extraFields, writableFields } from '../table-options.ts'
import { createDeletion, deletionMethods } from './check-user-deletion.ts'
import type { Connection } from './connection.ts'
import { createPatch } from './patch.ts'

const id = placeholder('id')

/** Every column has a parameter, so that one statement inserts all users. */
const columns = Object.fromEntries(userColumns.map((name) => [name, placeholder(name)]))

/** Creates the insertion of a user: one statement for all users, unless the application has its own columns. */
function prepareUserInsert({ db, tables }: Connection): (row: UserRow) => UserRow {
  const { users } = tables
  if (extraFields(users).length > 0) return (row) => db.insert(users).values(row).returning().all()[0] ?? row
  const bind = createEncode(users)
  const insert = db
    .insert(users)
    .values({ id, ...columns })
    .prepare()
  return (row) => {
    insert.run(bind(row))
    return row
  }
}

/** The synchronous parts of the methods that a transaction may contain. */
export function userOperations(connection: Connection) {
  const { db, tables } = connection
  const writable = writableFields(tables.users)
  const insert = lazy(() => prepareUserInsert(connection))
  const update = lazy(() => prepareUserUpdate(connection))
  const byId = lazy(() => db.select().from(tables.users).where(eq(tables.users.id, id)).prepare())
  const deletions = lazy(() => prepareDeletions(connection))
  return {
    createUser: (user: NewUser): UserRow => insert()(toUserRow(user, user.id || randomUUID(), writable)),
    updateUser: ({ id, ...changes }: Partial<AdapterUser> & { id: string }): UserRow => {
      const user = update()({ ...toUserPatch(changes, writable), id })
      if (!user) throw new Error('sqlite: updateUser: expected the id of an existing user')
      return user
    },
    deleteUser: createDeletion(connection, (id): UserRow | null => {
      const user = byId().get({ id }) ?? null
      for (const statement of deletions()) statement.run({ id, now: Date.now() })
      return user
    })
  }
}

/** The methods for users. */
export function userMethods(
  connection: Connection,
  { createUserId, createUser, deleteUser }: Omit<ReturnType<typeof userOperations>, 'updateUser'> & UserIdMethods
) {
  const { write } = connection
  return {
    createUser: async (user) => {
      const id = user.id || (await createUserId(user))
      return write(() => createUser({ ...user, id }))
    },
    ...deletionMethods(connection, deleteUser)
  } satisfies Pick<UserMethods, 'createUser'> & DeletionMethods
}

function prepareUserUpdate({
  db,
  tables
}: Connection): (patch: Partial<UserRow> & Pick<UserRow, 'id'>) => UserRow | undefined {
  const { users } = tables
  // The application's columns may have values that are generated on update.
  if (extraFields(users).length > 0)
    return (patch) => db.update(users).set(patch).where(eq(users.id, patch.id)).returning().all()[0]
  const update = createPatch(users, userColumns, (set) =>
    db.update(users).set(set).where(eq(users.id, id)).returning().prepare()
  )
  return ({ id, ...patch }) => update({ id }, patch) ?? undefined
}

/** The statements that delete everything that belongs to a user, and the client of their events. The user's own row is deleted last. */
function prepareDeletions({ db, tables }: Connection) {
  const { users, posternEvents: events, posternUsers: versions } = tables
  const owned = listOwnedTables<SQLiteTable & { readonly userId: SQLiteColumn }>(tables)
  return [
    db.update(events).set(withoutClient).where(eq(events.userId, id)).prepare(),
    ...owned.map((table) => db.delete(table).where(eq(table.userId, id)).prepare()),
    db
      .update(versions)
      .set({ deleteAfter: sql`coalesce(${versions.until}, ${placeholder('now')})` })
      .where(eq(versions.userId, id))
      .prepare(),
    db.delete(users).where(eq(users.id, id)).prepare()
  ]
}
