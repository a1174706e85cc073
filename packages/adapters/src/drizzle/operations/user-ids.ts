import { randomUUID } from 'node:crypto'
import type { NewUser } from '@postern/core'
import type { Column } from 'drizzle-orm'
import type { UserIdMethods } from '../../methods.ts'
import type { DatabaseNotes } from '../database-problems.ts'
import type { Run } from '../statements.ts'

/** The method that creates ids of users. @param reserve - Reserves an id of a column whose values the database generates. */
export function createUserIdMethods(
  { users }: { readonly users: { readonly id: Column } },
  notes: DatabaseNotes,
  run: Run,
  reserve: (user: NewUser) => string | Promise<string>
): UserIdMethods {
  return {
    createUserId: (user) =>
      run(() => {
        if (!notes.hasIntegerIds) return user.id || randomUUID()
        const { defaultFn } = users.id
        return defaultFn && notes.isIdGiven ? String(defaultFn()) : reserve(user)
      })
  }
}
