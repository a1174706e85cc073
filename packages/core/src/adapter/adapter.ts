import type { Account } from '../model/account.ts'
import type { User } from '../model/user.ts'
import type { RevocationStore } from './revocation.ts'
import type { SessionRecord, SessionRecordQuery } from './session-record.ts'

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

/**
 * The pair that names an account. Ids that differ in case, accents or white space are different people; the core hands
 * over none that is empty, holds NUL or is no well-formed Unicode.
 */
export interface AccountKey {
  provider: string
  providerAccountId: string
}

type Maybe<T> = T | null | undefined
type Awaitable<T> = T | Promise<T>

type AtomicMethod =
  | 'createUser'
  | 'updateUser'
  | 'linkAccount'
  | 'unlinkAccount'
  | 'updateAccount'
  | 'createSession'
  | 'deleteSession'
  | 'deleteSessions'
  | 'useVerificationToken'

/** A call of a method of the adapter, as a value. */
export type AdapterCall = {
  [M in AtomicMethod]: { readonly method: M; readonly args: Readonly<Parameters<NonNullable<Adapter[M]>>> }
}[AtomicMethod]

/**
 * Where users, accounts, sessions and one-time tokens are kept.
 *
 * The first fourteen methods are those of next-auth v4 and Auth.js, so their adapters fit unchanged. The others are
 * optional: where one is missing, the feature that needs it is off, or done the longer way, and registration says so.
 * A method that cannot answer throws; it never answers "not there" instead.
 */
export interface Adapter extends Partial<RevocationStore> {
  createUser?(user: NewUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<Maybe<AdapterUser>>
  /** Addresses are handed over in lower case. */
  getUserByEmail?(email: string): Awaitable<Maybe<AdapterUser>>
  getUserByAccount?(key: AccountKey): Awaitable<Maybe<AdapterUser>>
  /** Changes the fields that are given and leaves the others. */
  updateUser?(user: Partial<AdapterUser> & { id: string }): Awaitable<AdapterUser>
  /** Deletes the user together with their accounts, sessions and records of sessions. */
  deleteUser?(id: string): Awaitable<unknown>
  linkAccount?(account: AdapterAccount): Awaitable<unknown>
  unlinkAccount?(key: AccountKey): Awaitable<unknown>
  /** @param record - What is known of the session besides; kept together with it, by stores that keep such records. */
  createSession?(session: AdapterSession, record?: SessionRecord): Awaitable<AdapterSession>
  /** One query. Expired sessions are returned too: `expires` is for the caller to check. */
  getSessionAndUser?(sessionToken: string): Awaitable<Maybe<{ session: AdapterSession; user: AdapterUser }>>
  /** Leaves the record of the session as it is. */
  updateSession?(session: Partial<AdapterSession> & { sessionToken: string }): Awaitable<Maybe<AdapterSession>>
  /** Deletes a session and its record. @returns The session that was deleted, where the store can tell. */
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
  /**
   * Writes the given fields of an account that exists.
   *
   * @param expected - Writes only where the account still has this refresh token, in one atomic step.
   * @returns `false` where nothing was written for that reason, or the account with the expected token is gone.
   */
  updateAccount?(
    account: AccountKey & Partial<Account>,
    expected?: Pick<AdapterAccount, 'refresh_token'>
  ): Awaitable<unknown>
  getAccounts?(userId: string): Awaitable<readonly AdapterAccount[]>
  /** Looks at a one-time token without using it up. */
  getVerificationToken?(key: { identifier: string; token: string }): Awaitable<Maybe<VerificationToken>>
  listSessions?(userId: string): Awaitable<readonly AdapterSession[]>
  /** Ends all sessions of a user, but for the one named in `except`, and deletes their records, without a token too. */
  deleteSessions?(userId: string, except?: string): Awaitable<unknown>
  /** Runs `work` while no other process holds the lease of this name; waits for its turn. */
  withLease?<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Makes these calls in one transaction: all of them take effect, or none. Users that are created carry their id.
   *
   * @returns `false`, and nothing has happened, where a one-time token that was to be used was not there.
   * @throws An error of the name `DuplicateError`, and nothing has happened, where a key is taken.
   */
  atomically?(calls: readonly AdapterCall[]): Awaitable<boolean>
  /**
   * Writes the record of a session, in place of one with the same id.
   *
   * @returns What it likes; `{ userVersion }` saves a query at each sign-in with signed tokens. It is the version that
   * `getRevocations` of the same store has for `user:<userId>`, 0 where it has none, looked up when the call was begun
   * or later: a revocation that was noted before the call is in it.
   */
  putSessionRecord?(record: SessionRecord): Awaitable<unknown>
  /** Records of sessions that are over may be among them. */
  getSessionRecords?(query: SessionRecordQuery): Awaitable<readonly SessionRecord[]>
  deleteSessionRecord?(id: string): Awaitable<unknown>
  /**
   * Deletes sessions, one-time tokens, records, revocations and leases that ended before this moment, each by its own
   * end: a record does not last as long as its session unless it is written when the session is moved.
   *
   * @param most - How many rows of each table at most: small batches leave the tables free for others.
   * @returns How many rows were deleted.
   */
  deleteExpired?(before: Date, most: number): Awaitable<number>

  /** Closes what the adapter opened itself. */
  close?(): Awaitable<void>
}

/** An adapter of another library: the same methods in its own types. Registration sees to it that they are there. */
export type ForeignAdapter = {
  readonly [M in keyof Adapter]?: ((...args: never[]) => unknown) | undefined
}
