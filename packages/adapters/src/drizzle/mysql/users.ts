import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { UserMethods } from '../../methods.ts'
import { toUserPatch, toUserRow, type UserRow } from '../../rows.ts'
import { lazily } from '../lazy.ts'
import { extraFields } from '../table-options.ts'
import { type AccountKeys, createAccountKeys } from './account-keys.ts'
import type { Connection } from './connection.ts'

/** The methods that concern users. */
export function userMethods(connection: Connection) {
  const { db, tables, fit, isExactly, safe, once } = connection
  const { users } = tables
  const extra = extraFields(users)
  const keys = createAccountKeys(connection)
  const statements = lazily(() => prepareStatements(connection, keys))
  const find = async (id: string): Promise<UserRow | null> => (await statements().byId.execute({ id }))[0] ?? null
  return {
    createUser: (user) => {
      const row = toUserRow(user, user.id || randomUUID(), extra)
      return once(
        async () => {
          const created = fit(users, row)
          await db.insert(users).values(created)
          return extra.length > 0 ? ((await find(row.id)) ?? created) : created
        },
        async () => {
          const found = await find(row.id)
          return found?.email === row.email ? found : null
        }
      )
    },
    getUser: (id) => safe(() => find(id)),
    getUserByEmail: async (email) => {
      const [found] = await safe(() => statements().byEmail.execute({ email }))
      return found ?? null
    },
    getUserByAccount: async (key) => {
      const [found] = await safe(() => statements().byAccount.execute(keys.parametersOf(key)))
      return found?.user ?? null
    },
    updateUser: async ({ id, ...changes }) => {
      const row = await safe(async () => {
        const patch = fit(users, toUserPatch(changes, extra))
        if (Object.keys(patch).length > 0) await db.update(users).set(patch).where(isExactly(users.id, id))
        return find(id)
      })
      if (!row) throw new Error('mysql: updateUser: expected the id of a user who exists')
      return row
    },
    deleteUser: deleting(connection)
  } satisfies UserMethods
}

function deleting({ tables, isExactly, safe, transaction }: Connection) {
  const { users, accounts, sessions, posternSessions } = tables
  return (id: string): Promise<UserRow | null> =>
    safe(() =>
      transaction(async (db) => {
        const [user] = await db.select().from(users).where(isExactly(users.id, id))
        await db.delete(sessions).where(isExactly(sessions.userId, id))
        await db.delete(posternSessions).where(isExactly(posternSessions.userId, id))
        await db.delete(accounts).where(isExactly(accounts.userId, id))
        await db.delete(users).where(isExactly(users.id, id))
        return user ?? null
      })
    )
}

function prepareStatements({ db, tables, isExactly }: Connection, { isNamedKey }: AccountKeys) {
  const { users, accounts } = tables
  const isOwner = eq(users.id, accounts.userId)
  return {
    byId: db
      .select()
      .from(users)
      .where(isExactly(users.id, sql.placeholder('id')))
      .prepare(),
    byEmail: db
      .select()
      .from(users)
      .where(isExactly(users.email, sql.placeholder('email')))
      .prepare(),
    byAccount: db.select({ user: users }).from(accounts).innerJoin(users, isOwner).where(isNamedKey()).prepare()
  }
}
