import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { UserMethods } from '../../methods.ts'
import { toUserPatch, toUserRow, type UserRow } from '../../rows.ts'
import { lazily } from '../lazy.ts'
import { named, unnamed } from '../named.ts'
import { extraFields } from '../table-options.ts'
import type { Connection } from './connection.ts'

/** The methods that concern users. */
export function userMethods(connection: Connection) {
  const { db, tables, fit, safe, once } = connection
  const { users, accounts, sessions, posternSessions } = tables
  const extra = extraFields(users)
  const statements = lazily(() => prepareStatements(connection))
  const first = (rows: readonly UserRow[]): UserRow | null => rows[0] ?? null
  return {
    createUser: (user) => {
      const row = toUserRow(user, user.id || randomUUID(), extra)
      return once(
        async () => first(await db.insert(users).values(fit(users, row)).returning()) ?? row,
        async () => {
          const found = first(await statements().byId.execute({ id: row.id }))
          return found?.email === row.email ? found : null
        }
      )
    },
    getUser: async (id) => first(await safe(() => statements().byId.execute({ id }))),
    getUserByEmail: async (email) => first(await safe(() => statements().byEmail.execute({ email }))),
    getUserByAccount: async ({ provider, providerAccountId }) => {
      const [found] = await safe(() => statements().byAccount.execute({ provider, providerAccountId }))
      return found?.user ?? null
    },
    updateUser: async ({ id, ...changes }) => {
      const patch = toUserPatch(changes, extra)
      const isId = eq(users.id, id)
      const [row] = await safe(() =>
        Object.keys(patch).length === 0
          ? statements().byId.execute({ id })
          : db.update(users).set(fit(users, patch)).where(isId).returning()
      )
      if (!row) throw new Error('postgres: updateUser: expected the id of a user who exists')
      return row
    },
    deleteUser: async (id) => {
      const endSessions = db.$with('ended').as(db.delete(sessions).where(eq(sessions.userId, id)).returning())
      const unlink = db.$with('unlinked').as(db.delete(accounts).where(eq(accounts.userId, id)).returning())
      const forget = db
        .$with('forgotten')
        .as(db.delete(posternSessions).where(eq(posternSessions.userId, id)).returning())
      const isId = eq(users.id, id)
      return first(await safe(() => db.with(endSessions, forget, unlink).delete(users).where(isId).returning()))
    }
  } satisfies UserMethods
}

function prepareStatements({ db, tables }: Connection) {
  const { users, accounts } = tables
  const isAccount = and(
    eq(accounts.provider, named('provider')),
    eq(accounts.providerAccountId, named('providerAccountId'))
  )
  const isOwner = eq(users.id, accounts.userId)
  return {
    byId: db
      .select()
      .from(users)
      .where(eq(users.id, named('id')))
      .prepare(unnamed),
    byEmail: db
      .select()
      .from(users)
      .where(eq(users.email, named('email')))
      .prepare(unnamed),
    byAccount: db.select({ user: users }).from(accounts).innerJoin(users, isOwner).where(isAccount).prepare(unnamed)
  }
}
