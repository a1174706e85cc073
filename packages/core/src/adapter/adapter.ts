import type { Account } from '../model/account.ts'
import type { User } from '../model/user.ts'

/** A user as a store returns it. */
export interface AdapterUser extends User {
  email: string | null
  emailVerified: Date | null
}

/** A user who is to be created; the store chooses the id where none is given. */
export interface NewUser extends Omit<User, 'id'> {
  id?: string
  email: string | null
  emailVerified: Date | null
}

/** An account as a store keeps it. */
export interface AdapterAccount extends Account {
  userId: string
}

/** A session as a store keeps it. `sessionToken` is what the core hands over (a keyed hash, by default). */
export interface AdapterSession {
  sessionToken: string
  userId: string
  expires: Date
}

/** A one-time token. `token` is a keyed hash; the token itself is never stored. */
export interface VerificationToken {
  identifier: string
  token: string
  expires: Date
}

/** The pair that names an account. */
export interface AccountKey {
  provider: string
  providerAccountId: string
}

type Maybe<T> = T | null | undefined
type Awaitable<T> = T | Promise<T>

/**
 * Where users, accounts, sessions and one-time tokens are kept.
 *
 * The first fourteen methods are those of next-auth v4 and Auth.js, so their adapters fit unchanged. The others are
 * optional: where one is missing, the feature that needs it is off, or done the longer way, and registration says so.
 * A method that cannot answer throws; it never answers "not there" instead.
 */
export interface Adapter {
  createUser?(user: NewUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<Maybe<AdapterUser>>
  /** Addresses are handed over in lower case. */
  getUserByEmail?(email: string): Awaitable<Maybe<AdapterUser>>
  getUserByAccount?(key: AccountKey): Awaitable<Maybe<AdapterUser>>
  /** Changes the fields that are given and leaves the others. */
  updateUser?(user: Partial<AdapterUser> & { id: string }): Awaitable<AdapterUser>
  /** Deletes the user together with their accounts and sessions. */
  deleteUser?(id: string): Awaitable<unknown>
  linkAccount?(account: AdapterAccount): Awaitable<unknown>
  unlinkAccount?(key: AccountKey): Awaitable<unknown>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** One query. Expired sessions are returned too: `expires` is for the caller to check. */
  getSessionAndUser?(sessionToken: string): Awaitable<Maybe<{ session: AdapterSession; user: AdapterUser }>>
  updateSession?(session: Partial<AdapterSession> & { sessionToken: string }): Awaitable<Maybe<AdapterSession>>
  /** @returns The session that was deleted, where the store can tell. */
  deleteSession?(sessionToken: string): Awaitable<unknown>
  createVerificationToken?(token: VerificationToken): Awaitable<Maybe<VerificationToken>>
  /**
   * Takes a one-time token out of the store and returns it, expired or not.
   *
   * Two calls for the same token, even at the same moment, give it to one caller and `null` to the other: read and
   * delete are one statement. Both members of the pair must match.
   */
  useVerificationToken?(key: { identifier: string; token: string }): Awaitable<Maybe<VerificationToken>>

  /** Creates a user and their first account in one transaction: both are there afterwards, or neither. */
  createUserWithAccount?(user: NewUser, account: Account): Awaitable<AdapterUser>
  /** Writes the given fields of an account that exists. */
  updateAccount?(account: AccountKey & Partial<Account>): Awaitable<unknown>
  getAccounts?(userId: string): Awaitable<readonly AdapterAccount[]>
  /** Looks at a one-time token without using it up. */
  getVerificationToken?(key: { identifier: string; token: string }): Awaitable<Maybe<VerificationToken>>
  listSessions?(userId: string): Awaitable<readonly AdapterSession[]>
  /** Ends all sessions of a user, but for the one named in `except`. */
  deleteSessions?(userId: string, except?: string): Awaitable<unknown>
  /** Runs `work` while no other process holds the lease of this name; waits for its turn. */
  withLease?<T>(name: string, work: () => Promise<T>): Promise<T>

  /** Closes what the adapter opened itself. */
  close?(): Awaitable<void>
}

/** An adapter of another library: the same methods in its own types. Registration sees to it that they are there. */
export type ForeignAdapter = {
  readonly [M in keyof Adapter]?: ((...args: never[]) => unknown) | undefined
}
