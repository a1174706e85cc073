import { randomUUID } from 'node:crypto'
import type { AdapterUser, NewUser } from '@postern/core'
import { and, eq } from 'drizzle-orm'
import type { UserMethods } from '../../methods.ts'
import { toUserPatch, toUserRow, type UserRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazily } from '../lazy.ts'
import { named } from '../named.ts'
import { extraFields } from '../table-options.ts'
import type { Connection } from './connection.ts'
import { createPatch } from './patch.ts'
import type { RecordStatements } from './records.ts'
import { steady } from './steady.ts'

const { id, ...columns } = {
  id: named('id'),
  name: named('name'),
  email: named('email'),
  emailVerified: named('emailVerified'),
  image: named('image')
}

/** Makes the insertion of a user: one statement for all users, unless the application has columns of its own. */
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

/** What is done when it returns: the parts of the methods that may be in a batch. */
export function userOperations(connection: Connection) {
  const extra = extraFields(connection.tables.users)
  const insert = lazily(() => prepareUserInsert(connection))
  const update = lazily(() => prepareUserUpdate(connection))
  return {
    createUser: (user: NewUser): UserRow => insert()(toUserRow(user, user.id || randomUUID(), extra)),
    updateUser: ({ id, ...changes }: Partial<AdapterUser> & { id: string }): UserRow => {
      const user = update()({ ...toUserPatch(changes, extra), id })
      if (!user) throw new Error('sqlite: updateUser: expected the id of a user who exists')
      return user
    }
  }
}

/** The methods that concern users. */
export function userMethods(
  connection: Connection,
  operations: ReturnType<typeof userOperations>,
  records: RecordStatements
) {
  const { read, write, transaction } = connection
  const statements = prepareStatements(connection)
  return {
    createUser: (user) => write(() => operations.createUser(user)),
    getUser: (id) => read(() => statements.byId().get({ id }) ?? null),
    getUserByEmail: (email) => read(() => statements.byEmail().get({ email }) ?? null),
    getUserByAccount: ({ provider, providerAccountId }) =>
      read(() => statements.byAccount().get({ provider, providerAccountId })?.user ?? null),
    updateUser: (user) => write(() => operations.updateUser(user)),
    deleteUser: (id) =>
      transaction(() => {
        const user = statements.byId().get({ id }) ?? null
        records.deleteByUser(id)
        for (const statement of statements.deletions()) statement.run({ id })
        return user
      })
  } satisfies UserMethods
}

function prepareUserUpdate({
  db,
  tables
}: Connection): (patch: Partial<UserRow> & Pick<UserRow, 'id'>) => UserRow | undefined {
  const { users } = tables
  // The application's columns may have values that are made when the row changes.
  if (extraFields(users).length > 0)
    return (patch) => db.update(users).set(patch).where(eq(users.id, patch.id)).returning().all()[0]
  const { set, bind } = createPatch(users, ['name', 'email', 'emailVerified', 'image'])
  const update = db.update(users).set(set).where(eq(users.id, id)).returning().prepare()
  return ({ id, ...patch }) => update.all({ id, ...bind(patch) })[0]
}

function prepareStatements({ db, tables }: Connection) {
  const { users, accounts, sessions } = tables
  const isAccount = and(
    eq(accounts.provider, steady('provider')),
    eq(accounts.providerAccountId, steady('providerAccountId'))
  )
  const isOwner = eq(users.id, accounts.userId)
  return {
    byId: lazily(() => db.select().from(users).where(eq(users.id, id)).prepare()),
    byEmail: lazily(() =>
      db
        .select()
        .from(users)
        .where(eq(users.email, named('email')))
        .prepare()
    ),
    byAccount: lazily(() =>
      db.select({ user: users }).from(accounts).innerJoin(users, isOwner).where(isAccount).prepare()
    ),
    /** A user's own row goes last. */
    deletions: lazily(() => [
      db.delete(sessions).where(eq(sessions.userId, id)).prepare(),
      db.delete(accounts).where(eq(accounts.userId, id)).prepare(),
      db.delete(users).where(eq(users.id, id)).prepare()
    ])
  }
}
