import type { NewUser, User } from '@postern/core'

/**
 * A row of the table `user`: its columns in every store.
 *
 * A new column is added here and to `User` of core. The compiler then requires it in {@link columns} and in `table-columns.ts` of
 * `drizzle/`. A migration in `migrations.ts` beside it adds it to existing tables. Columns that an application adds need
 * no change: `docs/adapters.md`, "Custom names and columns".
 */
export interface UserRow {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly emailVerified: Date | null
  readonly image: string | null
}

/** The types of columns that an application adds to its users table. The standard ones have their own types. */
export type OwnColumns = Readonly<Record<string, unknown>> & { readonly [Name in keyof UserRow]?: never }

type UserColumn = Exclude<keyof UserRow, 'id'>

const isText = (value: unknown): value is string | null => typeof value === 'string' || value === null

const isInstant = (value: unknown): value is Date | null =>
  value === null || (value instanceof Date && !Number.isNaN(value.getTime()))

/** The columns except the key, and their values: the types of a provider's values are not guaranteed. */
const columns: { readonly [Name in UserColumn]: (value: unknown) => value is UserRow[Name] } = {
  name: isText,
  email: isText,
  emailVerified: isInstant,
  image: isText
}

const isColumn = (name: string): name is UserColumn => Object.hasOwn(columns, name)

/** The columns except the key. */
export const userColumns: readonly UserColumn[] = Object.keys(columns).filter(isColumn)

/** Whether a column is not one of those that the application adds. */
export function isUserColumn(name: string): name is keyof UserRow {
  return name === 'id' || isColumn(name)
}

/**
 * Converts a user to a row; fields without a column are dropped.
 *
 * @param extra - The columns that the application has added to its users table.
 */
export function toUserRow(user: NewUser, id: string, extra: readonly string[] = []): UserRow {
  return { name: null, email: null, emailVerified: null, image: null, ...toUserPatch(user, extra), id }
}

/** The columns for which `user` has a valid value. */
export function toUserPatch(user: Partial<User>, extra: readonly string[] = []): Partial<Omit<UserRow, 'id'>> {
  return Object.fromEntries(
    Object.entries(user).filter(([name, value]) =>
      isColumn(name) ? columns[name](value) : extra.includes(name) && value !== undefined
    )
  )
}
