import { randomUUID } from 'node:crypto'
import type { Adapter } from '@postern/core'
import { load } from '../load.ts'
import { named } from '../named.ts'
import { toUserPatch, toUserRow, type UserRow } from '../rows.ts'
import type { Connection } from './connection.ts'
import { accounts, sessions, users } from './schema.ts'

const { and, eq }: typeof import('drizzle-orm') = load('drizzle-orm')

type UserMethods = Required<
  Pick<Adapter, 'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'>
>

const { id, ...columns } = {
  id: named('id'),
  name: named('name'),
  email: named('email'),
  emailVerified: named('emailVerified'),
  image: named('image')
}

/** Prepares the insertion of a user. */
export function prepareUserInsert({ db }: Connection): (row: UserRow) => UserRow {
  const insert = db
    .insert(users)
    .values({ id, ...columns })
    .prepare()
  return (row) => {
    insert.run(bind(row))
    return row
  }
}

/** The methods that concern users. */
export function userMethods(connection: Connection): UserMethods {
  const { read, write, transaction } = connection
  const insert = prepareUserInsert(connection)
  const statements = prepareStatements(connection)
  return {
    createUser: (user) => write(() => insert(toUserRow(user, user.id || randomUUID()))),
    getUser: (id) => read(() => statements.byId.get({ id }) ?? null),
    getUserByEmail: (email) => read(() => statements.byEmail.get({ email }) ?? null),
    getUserByAccount: ({ provider, providerAccountId }) =>
      read(() => statements.byAccount.get({ provider, providerAccountId })?.user ?? null),
    updateUser: ({ id, ...changes }) =>
      transaction(() => {
        const before = statements.byId.get({ id })
        if (!before) throw new Error('sqlite: updateUser: expected the id of a user who exists')
        const row = { ...before, ...toUserPatch(changes) }
        statements.update.run(bind(row))
        return row
      }),
    deleteUser: (id) =>
      transaction(() => {
        const user = statements.byId.get({ id }) ?? null
        statements.deleteSessions.run({ id })
        statements.deleteAccounts.run({ id })
        statements.delete.run({ id })
        return user
      })
  }
}

function prepareStatements({ db }: Connection) {
  const isAccount = and(
    eq(accounts.provider, named('provider')),
    eq(accounts.providerAccountId, named('providerAccountId'))
  )
  const isOwner = eq(users.id, accounts.userId)
  return {
    byId: db.select().from(users).where(eq(users.id, id)).prepare(),
    byEmail: db
      .select()
      .from(users)
      .where(eq(users.email, named('email')))
      .prepare(),
    byAccount: db.select({ user: users }).from(accounts).innerJoin(users, isOwner).where(isAccount).prepare(),
    update: db.update(users).set(columns).where(eq(users.id, id)).prepare(),
    delete: db.delete(users).where(eq(users.id, id)).prepare(),
    deleteAccounts: db.delete(accounts).where(eq(accounts.userId, id)).prepare(),
    deleteSessions: db.delete(sessions).where(eq(sessions.userId, id)).prepare()
  }
}

function bind({ emailVerified, ...row }: UserRow): Record<string, unknown> {
  return { ...row, emailVerified: emailVerified?.getTime() ?? null }
}
