import type { NewUser, User } from '@postern/core'
import { pickTexts } from './pick-texts.ts'

/**
 * A row of the table `user`: its columns in every store.
 *
 * A new column is added here and to `User` of core. The compiler then requires it in `schema.ts` of each dialect in `drizzle/`, and
 * `migrations.ts` beside it creates it. Columns that an application adds need no change: `docs/adapters.md`, "Custom names and
 * columns".
 */
export interface UserRow {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly emailVerified: Date | null
  readonly image: string | null
}

type UserColumn = keyof UserRow

const userTexts = ['name', 'email', 'image'] as const

const noValues: Omit<UserRow, 'id'> = { name: null, email: null, emailVerified: null, image: null }

const isColumn = (name: string): name is Exclude<UserColumn, 'id'> => Object.hasOwn(noValues, name)

/** The columns except the key. */
export const userColumns: readonly Exclude<UserColumn, 'id'>[] = Object.keys(noValues).filter(isColumn)

/** Whether a column is not one of those that the application adds. */
export function isUserColumn(name: string): name is UserColumn {
  return name === 'id' || isColumn(name)
}

/**
 * Converts a user to a row; fields without a column are dropped.
 *
 * @param extra - The columns that the application has added to its users table.
 */
export function toUserRow(user: NewUser, id: string, extra: readonly string[] = []): UserRow {
  return { ...noValues, ...toUserPatch(user, extra), id }
}

/** The columns for which `user` has a valid value. */
export function toUserPatch(user: Partial<User>, extra: readonly string[] = []): Partial<Omit<UserRow, 'id'>> {
  const { emailVerified } = user
  return {
    ...Object.fromEntries(Object.entries(user).filter(([name, value]) => extra.includes(name) && value !== undefined)),
    ...pickTexts(user, userTexts),
    ...(isInstant(emailVerified) ? { emailVerified } : {})
  }
}

function isInstant(value: unknown): value is Date | null {
  return value === null || (value instanceof Date && !Number.isNaN(value.getTime()))
}
