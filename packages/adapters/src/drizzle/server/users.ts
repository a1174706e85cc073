import type { NewUser } from '@postern/core'
import type { UserIdMethods, UserMethods } from '../../methods.ts'
import { toUserPatch, toUserRow, type UserRow } from '../../user-columns.ts'
import { lazy } from '../lazy.ts'
import { writableFields } from '../table-options.ts'
import type { ServerConnection } from './connection.ts'

/** The statements that write a user. */
export interface UserStatements extends UserIdMethods {
  /** The name of the database in messages. */
  readonly database: string
  /** @returns The row as it is stored. */
  readonly insert: (row: UserRow) => Promise<UserRow>
  /** @returns The row as it is stored, if there is one. */
  readonly update: (id: string, patch: Partial<UserRow>) => Promise<UserRow | null | undefined>
}

/** The methods that create and update users. */
export function userMethods(
  { tables: { users }, statements, fit, retryIdempotent, runOnce }: ServerConnection,
  { database, insert, update, createUserId }: UserStatements
) {
  const writable = lazy(() => writableFields(users))
  const find = statements.find(users, { id: users.id })
  return {
    createUser: async (user: NewUser) => {
      const id = user.id || (await createUserId(user))
      return runOnce(
        () => insert(toUserRow(user, id, writable())),
        async () => {
          const found = await find({ id })
          return found?.email === toUserRow(user, id).email ? found : null
        }
      )
    },
    updateUser: async ({ id, ...changes }) => {
      const row = await retryIdempotent(() => {
        const patch = toUserPatch(changes, writable())
        return Object.keys(patch).length === 0 ? find({ id }) : update(id, fit(users, patch))
      })
      if (!row) throw new Error(`${database}: updateUser: expected the id of an existing user`)
      return row
    }
  } satisfies Pick<UserMethods, 'createUser' | 'updateUser'>
}
