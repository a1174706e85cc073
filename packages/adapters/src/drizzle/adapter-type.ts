import type { Account, AccountKey, Adapter, NewUser } from '@postern/core'
import type { UserRow } from '../rows.ts'

type UserMethods =
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'getSessionAndUser'
  | 'createUserWithAccount'

type SessionAndUser = NonNullable<Awaited<ReturnType<Required<Adapter>['getSessionAndUser']>>>

/** An adapter that has every method, with the columns that the application has added to its users. */
export interface SqlAdapter<U extends UserRow> extends Omit<Required<Adapter>, UserMethods> {
  createUser(user: NewUser & Partial<U>): Promise<U>
  getUser(id: string): Promise<U | null>
  getUserByEmail(email: string): Promise<U | null>
  getUserByAccount(key: AccountKey): Promise<U | null>
  updateUser(user: Partial<U> & { id: string }): Promise<U>
  getSessionAndUser(sessionToken: string): Promise<{ session: SessionAndUser['session']; user: U } | null>
  createUserWithAccount(user: NewUser & Partial<U>, account: Account): Promise<U>
}

/** An adapter of a database that is a server. */
export interface ServerAdapter<U extends UserRow> extends SqlAdapter<U> {
  /**
   * Waits until the database has been reached and its schema is up to date, which every other method does too.
   *
   * It is begun when the adapter is made, and again by the next call after it failed.
   */
  ready(): Promise<void>
}
