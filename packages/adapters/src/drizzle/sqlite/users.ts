import { randomUUID } from 'node:crypto'
import type { AdapterUser, NewUser } from '@postern/core'
import { asc, eq, gt, sql } from 'drizzle-orm'
import type { DeletionMethods, UserIdMethods, UserMethods } from '../../methods.ts'
import { withoutClient } from '../../rows.ts'
import { toUserPatch, toUserRow, type UserRow, userColumns } from '../../user-columns.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import { extraFields, writableFields } from '../table-options.ts'
import { createDeletion, deletionMethods } from './check-user-deletion.ts'
import type { Connection } from './connection.ts'
import { createPatch } from './patch.ts'
import type { RecordStatements } from './records.ts'
import { stablePlaceholder } from './stable-placeholder.ts'
import { userByAccountMethods } from './user-by-account.ts'
import { userByEmailMethods } from './user-by-email.ts'
import { withVersion } from './user-versions.ts'

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
  const writable = writableFields(connection.tables.users)
  const insert = lazy(() => prepareUserInsert(connection))
  const update = lazy(() => prepareUserUpdate(connection))
  return {
    createUser: (user: NewUser): UserRow => insert()(toUserRow(user, user.id || randomUUID(), writable)),
    updateUser: ({ id, ...changes }: Partial<AdapterUser> & { id: string }): UserRow => {
      const user = update()({ ...toUserPatch(changes, writable), id })
      if (!user) throw new Error('sqlite: updateUser: expected the id of an existing user')
      return user
    }
  }
}

/** The methods for users. */
export function userMethods(
  connection: Connection,
  { createUserId, createUser }: Pick<ReturnType<typeof userOperations>, 'createUser'> & UserIdMethods,
  records: RecordStatements
) {
  const { read, write, transaction } = connection
  const statements = prepareStatements(connection)
  const deletions = lazy(() => prepareDeletions(connection))
  const byAccount = userByAccountMethods(connection)
  const byEmail = userByEmailMethods(connection)
  const remove = createDeletion(connection, (id) => {
    const user = statements.byId().get({ id }) ?? null
    records.deleteByUser(id)
    for (const statement of deletions()) statement.run({ id, now: Date.now() })
    return user
  })
  return {
    createUser: async (user) => {
      const id = user.id || (await createUserId(user))
      return write(() => createUser({ ...user, id }))
    },
    getUser: (id) => read(() => statements.byId().get({ id }) ?? null),
    getUserByEmail: byEmail.getUserByEmail,
    findProblems: byEmail.findProblems,
    findUserVersion: async (by) => {
      if ('email' in by) return byEmail.find(by.email)
      if ('account' in by) return byAccount.find(by.account)
      return read(() => statements.versionById().get({ id: by.userId }) ?? null)
    },
    getUserByAccount: byAccount.getUserByAccount,
    deleteUser: (id) => transaction(() => remove(id)),
    ...deletionMethods(connection, remove),
    listUsers: ({ after, limit }) =>
      read(() => (after === null ? statements.first().all({ limit }) : statements.next().all({ after, limit })))
  } satisfies Omit<UserMethods, 'updateUser'> & DeletionMethods
}

function prepareUserUpdate({
  db,
  tables
}: Connection): (patch: Partial<UserRow> & Pick<UserRow, 'id'>) => UserRow | undefined {
  const { users } = tables
  // The application's columns may have values that are generated on update.
  if (extraFields(users).length > 0)
    return (patch) => db.update(users).set(patch).where(eq(users.id, patch.id)).returning().all()[0]
  const { set, bind } = createPatch(users, userColumns)
  const update = db.update(users).set(set).where(eq(users.id, id)).returning().prepare()
  return ({ id, ...patch }) => update.all({ id, ...bind(patch) })[0]
}

function prepareStatements({ db, tables }: Connection) {
  const { users } = tables
  const limit = sql.placeholder('limit')
  return {
    byId: lazy(() => db.select().from(users).where(eq(users.id, id)).prepare()),
    versionById: lazy(() =>
      withVersion({ db, tables })
        .where(eq(users.id, stablePlaceholder('id')))
        .prepare()
    ),
    first: lazy(() => db.select().from(users).orderBy(asc(users.id)).limit(limit).prepare()),
    next: lazy(() =>
      db
        .select()
        .from(users)
        .where(gt(users.id, placeholder('after')))
        .orderBy(asc(users.id))
        .limit(limit)
        .prepare()
    )
  }
}

/** The statements that delete everything that belongs to a user, and the client of their events. The user's own row is deleted last. */
function prepareDeletions({ db, tables }: Connection) {
  const { users, accounts, sessions, posternAccounts, posternTickets, posternFactors, posternEvents } = tables
  return [
    db.update(posternEvents).set(withoutClient).where(eq(posternEvents.userId, id)).prepare(),
    db.delete(posternTickets).where(eq(posternTickets.userId, id)).prepare(),
    db.delete(posternFactors).where(eq(posternFactors.userId, id)).prepare(),
    db.delete(sessions).where(eq(sessions.userId, id)).prepare(),
    db.delete(posternAccounts).where(eq(posternAccounts.userId, id)).prepare(),
    db.delete(accounts).where(eq(accounts.userId, id)).prepare(),
    db
      .update(tables.posternUsers)
      .set({ deleteAfter: sql`coalesce(${tables.posternUsers.until}, ${placeholder('now')})` })
      .where(eq(tables.posternUsers.userId, id))
      .prepare(),
    db.delete(users).where(eq(users.id, id)).prepare()
  ]
}
