import type { Account, AccountKey, Adapter, NewUser, UserQuery, UserVersionQuery, UserWithVersion } from '@postern/core'
import type { AuthenticatorMethods } from '../authenticators.ts'
import type { UserRow } from '../user-columns.ts'

type UserMethods =
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'getSessionAndUser'
  | 'createUserWithAccount'
  | 'findUserVersion'
  | 'listUsers'

type SessionAndUser = NonNullable<Awaited<ReturnType<Required<Adapter>['getSessionAndUser']>>>

/** An adapter with every method, whose users have the application's additional columns. */
export interface SqlAdapter<U extends UserRow> extends Omit<Required<Adapter>, UserMethods>, AuthenticatorMethods {
  createUser(user: NewUser & Partial<U>): Promise<U>
  getUser(id: string): Promise<U | null>
  getUserByEmail(email: string): Promise<U | null>
  getUserByAccount(key: AccountKey): Promise<U | null>
  updateUser(user: Partial<U> & { id: string }): Promise<U>
  getSessionAndUser(sessionToken: string): Promise<{ session: SessionAndUser['session']; user: U } | null>
  createUserWithAccount(user: NewUser & Partial<U>, account: Account): Promise<U>
  findUserVersion(by: UserVersionQuery): Promise<(Omit<UserWithVersion, 'user'> & { user: U }) | null>
  listUsers(query: UserQuery): Promise<readonly U[]>
}

/** An adapter for a database server. */
export interface ServerAdapter<U extends UserRow> extends SqlAdapter<U> {
  /**
   * Resolves when the database is reachable and its schema is up to date; every other method waits for this too.
   *
   * The first attempt starts when the adapter is created; after a failure, the next call tries again.
   */
  ready(): Promise<void>
}
