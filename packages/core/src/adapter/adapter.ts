import type { Account } from '../model/account.ts'
import type { MaybePromise } from '../model/awaitable.ts'
import type { User } from '../model/user.ts'
import type { AccountEvidence } from './account-evidence.ts'
import type { EncryptedRow, EncryptedRowQuery, EncryptedTable, EncryptedTexts } from './encrypted-row.ts'
import type { EventQuery, EventRecord } from './event-record.ts'
import type { Factor, FactorKey } from './factor.ts'
import type { RevocationStore } from './revocation.ts'
import type { SessionRecord, SessionRecordQuery } from './session-record.ts'
import type { Ticket, TicketKey } from './ticket.ts'
import type { UserAdvance, UserVersion } from './user-version.ts'

/** A user as a store returns it. */
export interface AdapterUser extends User {
  email: string | null
  emailVerified: Date | null
}

/** A user to create; the store generates the id if none is given. */
export interface NewUser extends Omit<User, 'id'> {
  id?: string
  email: string | null
  emailVerified: Date | null
}

/** Selects a page of users. */
export interface UserQuery {
  /** The id of the last user of the previous page; `null` for the first page. The user may have been deleted since. */
  readonly after: string | null
  /** The maximum number of users. */
  readonly limit: number
}

/** What in a database does not fit, for the log. */
export interface AdapterProblem {
  /** `ADDRESS_NOT_LOWER_CASE` */
  readonly code: string
  /** What is wrong and how to correct it, without values of rows. */
  readonly message: string
}

/** An account as the store keeps it. */
export interface AdapterAccount extends Account {
  userId: string
}

/** A session as the store keeps it. `sessionToken` is the stored form of the token, by default a keyed hash. */
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
 * The pair that identifies an account. Ids that differ in case, accents or white space belong to different users. The
 * core never passes an empty id.
 */
export interface AccountKey {
  provider: string
  providerAccountId: string
}

/** How a user is found together with their row. */
export type UserVersionQuery =
  | { readonly userId: string }
  | { readonly account: AccountKey }
  | { readonly email: string }

/** A user with the row that was read at the same moment. */
export interface UserWithVersion {
  user: AdapterUser
  /** `null` if there is no row. */
  version: UserVersion | null
  /** The account by which the user was found. */
  account?: AdapterAccount | undefined
}

type Maybe<T> = T | null | undefined
type AtomicMethod =
  | 'createUser'
  | 'updateUser'
  | 'deleteUser'
  | 'linkAccount'
  | 'unlinkAccount'
  | 'updateAccount'
  | 'createSession'
  | 'deleteSession'
  | 'deleteSessions'
  | 'useVerificationToken'
  | 'putSessionRecord'
  | 'deleteSessionRecord'
  | 'revoke'
  | 'putAccountEvidence'
  | 'createTicket'
  | 'putTicket'
  | 'consumeTicket'
  | 'deleteTickets'
  | 'createFactor'
  | 'updateFactor'
  | 'deleteFactor'
  | 'addEvents'
  | 'requireUserVersion'
  | 'advanceUser'
  | 'requireAddress'

/** A call of one of these adapter methods, as a value. */
export type CallOf<Method extends AtomicMethod> = {
  [M in Method]: {
    readonly method: M
    readonly args: Readonly<Parameters<NonNullable<Adapter[M]>>>
    /**
     * Whether the transaction is aborted if the call returns nothing; always so for one-time tokens, tickets, updates of
     * factors, and what is required of a user.
     */
    readonly isRequired?: boolean
  }
}[Method]

/** A call of an adapter method, as a value. */
export type AdapterCall = CallOf<AtomicMethod>

/**
 * Stores users, accounts, sessions and one-time tokens.
 *
 * The first fourteen methods are those of next-auth v4 and Auth.js, so their adapters work unchanged. The others are
 * optional: without them a feature is off or slower, and registration logs it. A method that fails must throw, and
 * never return "not found" instead.
 *
 * The core never passes a text with NUL or a lone surrogate. Of additional fields that an adapter returns, it passes only
 * those of users and accounts.
 */
export interface Adapter extends Partial<RevocationStore> {
  /**
   * Returns an id for a user who will be created by `transact`, such as the next value of a sequence. Without it, the id is a
   * random UUID.
   *
   * @throws An error named `DuplicateError` if the user cannot be created.
   */
  createUserId?(user: NewUser): MaybePromise<string>
  createUser?(user: NewUser): MaybePromise<AdapterUser>
  getUser?(id: string): MaybePromise<Maybe<AdapterUser>>
  /**
   * Addresses are passed in lower case. If no stored address is exactly this one, the user whose address differs in the case
   * of its letters is found, too.
   *
   * @throws An error named `AmbiguousAddressError` if several such users exist.
   */
  getUserByEmail?(email: string): MaybePromise<Maybe<AdapterUser>>
  getUserByAccount?(key: AccountKey): MaybePromise<Maybe<AdapterUser>>
  /** Updates the given fields only. */
  updateUser?(user: Partial<AdapterUser> & { id: string }): MaybePromise<AdapterUser>
  /**
   * Deletes the user together with everything that has their id: accounts, sessions, session records, evidence, tickets and
   * factors. Events stay, without `ip` and `userAgent`.
   */
  deleteUser?(id: string): MaybePromise<unknown>
  /**
   * Throws the error with which `deleteUser` would be refused, such as one of a foreign key that restricts it, and changes
   * nothing. With it, nothing of the user has ended when a deletion is refused.
   */
  checkUserDeletion?(id: string): MaybePromise<unknown>
  linkAccount?(account: AdapterAccount): MaybePromise<unknown>
  unlinkAccount?(key: AccountKey): MaybePromise<unknown>
  /** @param record - Metadata of the session; stored with it if the store keeps session records. */
  createSession?(session: AdapterSession, record?: SessionRecord): MaybePromise<AdapterSession>
  /** Must be one query. Returns expired sessions too: the caller checks `expires`. */
  getSessionAndUser?(sessionToken: string): MaybePromise<Maybe<{ session: AdapterSession; user: AdapterUser }>>
  /** Does not change the record of the session. */
  updateSession?(session: Partial<AdapterSession> & { sessionToken: string }): MaybePromise<Maybe<AdapterSession>>
  /** Deletes a session and its record. @returns The deleted session, if the store can return it. */
  deleteSession?(sessionToken: string): MaybePromise<unknown>
  createVerificationToken?(token: VerificationToken): MaybePromise<Maybe<VerificationToken>>
  /**
   * Deletes a one-time token and returns it, expired or not.
   *
   * Of two concurrent calls for the same token, exactly one receives it, and the other `null`: read and delete are one
   * statement. Both members of the pair must match.
   */
  useVerificationToken?(key: { identifier: string; token: string }): MaybePromise<Maybe<VerificationToken>>

  /** Creates a user and their first account in one transaction. */
  createUserWithAccount?(user: NewUser, account: Account): MaybePromise<AdapterUser>
  /**
   * Updates the given fields of an existing account.
   *
   * @param expected - Updates only if the account still has this refresh token, in one atomic step. With `userId`, the
   * account must also be linked to this user; its tokens may be updated even if it is not.
   * @returns `false` if the account does not match, or does not exist.
   */
  updateAccount?(
    account: AccountKey & Partial<Account>,
    expected?: Partial<Pick<AdapterAccount, 'refresh_token' | 'userId'>>
  ): MaybePromise<unknown>
  getAccounts?(userId: string): MaybePromise<readonly AdapterAccount[]>
  /** Returns a one-time token without consuming it. */
  getVerificationToken?(key: { identifier: string; token: string }): MaybePromise<Maybe<VerificationToken>>
  /**
   * Returns the sessions of a user, expired or not.
   *
   * @param limit - The maximum number of sessions: those that expire last. A store that ignores it is correct, but slow for
   * users with many sessions.
   */
  listSessions?(userId: string, limit?: number): MaybePromise<readonly AdapterSession[]>
  /** Returns users in the order of their ids, which is the one of the index on the column. */
  listUsers?(query: UserQuery): MaybePromise<readonly AdapterUser[]>
  /**
   * Deletes all database sessions of a user, except the one named in `except`, and their records. Records of JWT
   * sessions, which have no `sessionToken`, stay.
   */
  deleteSessions?(userId: string, except?: string): MaybePromise<unknown>
  /** Runs `work` while no other process holds the lease of this name; waits until the lease is free. */
  withLease?<T>(name: string, work: () => Promise<T>): Promise<T>
  /**
   * Makes these calls in one transaction, in their order. Users to create have their id. An adapter with this method returns all
   * ids as strings, and compares them exactly.
   *
   * @returns `false`, with no effect, if a one-time token, a ticket or the row of a required call does not exist, or if
   * a factor, a ticket or the row of a user is not as expected.
   * @throws An error named `DuplicateError`, with no effect, if a key already exists.
   */
  transact?(calls: readonly AdapterCall[]): MaybePromise<boolean>
  /** Returns the row that says what may sign in as a user; `null` if there is none. */
  getUserVersion?(userId: string): MaybePromise<Maybe<UserVersion>>
  /**
   * Finds a user as `getUser`, `getUserByAccount` or `getUserByEmail` does, together with the row of the user and the account
   * of the query. Must be one query: what it returns is as at one moment.
   */
  findUserVersion?(by: UserVersionQuery): MaybePromise<Maybe<UserWithVersion>>
  /**
   * Requires, in a transaction, that the row of a user has this version until the transaction has ended: another transaction
   * can change the row only before or afterwards. If there is no row, the version is 0.
   *
   * Callers that only require a version do not wait for each other. It is the first call of its transaction, which does not
   * advance the same user: two that did would wait for each other.
   *
   * @returns `false` if the row has another version.
   */
  requireUserVersion?(userId: string, version: number): MaybePromise<boolean>
  /**
   * Changes the row of a user, or creates it. In a transaction it is the first call, and later ones see what others committed
   * before it.
   *
   * A change that `raises` also records the revocation `user:<userId>` with the new version, and `until`, if the adapter has
   * the methods for revocations.
   *
   * @returns `false`, with no effect, if the row has another version than the expected one.
   */
  advanceUser?(advance: UserAdvance): MaybePromise<boolean>
  /**
   * Requires, in a transaction, that the user has exactly this address until the transaction has ended.
   *
   * @returns `false` if the user has another address, or does not exist.
   */
  requireAddress?(userId: string, email: string | null): MaybePromise<boolean>
  /** Stores the record of a session, replacing one with the same id. */
  putSessionRecord?(record: SessionRecord): MaybePromise<unknown>
  /** May include records of expired sessions. */
  getSessionRecords?(query: SessionRecordQuery): MaybePromise<readonly SessionRecord[]>
  deleteSessionRecord?(id: string): MaybePromise<unknown>
  /** Stores the evidence of an account, replacing earlier evidence of the same account. */
  putAccountEvidence?(evidence: AccountEvidence): MaybePromise<unknown>
  /** Returns the evidence of a user's accounts. `unlinkAccount` and `deleteUser` delete evidence with the account. */
  getAccountEvidence?(userId: string): MaybePromise<readonly AccountEvidence[]>
  /** Stores a ticket. @throws An error named `DuplicateError` if the pair (`kind`, `id`) exists, expired or not. */
  createTicket?(ticket: Ticket): MaybePromise<unknown>
  /** Returns a ticket, expired or not, without changing it. */
  readTicket?(key: TicketKey): MaybePromise<Maybe<Ticket>>
  /**
   * Returns the tickets with these keys, at most 100, like `readTicket`: each once, in any order, and nothing for a key
   * without a ticket. One query instead of several saves a round trip at each sign-in. They must be as at one moment.
   */
  readTickets?(keys: readonly TicketKey[]): MaybePromise<readonly Ticket[]>
  /**
   * Increments `tries` in one atomic statement.
   *
   * @returns The new count, or `null` if there is no such ticket.
   */
  countTry?(key: TicketKey): MaybePromise<Maybe<number>>
  /**
   * Deletes a ticket and returns it, expired or not. Of concurrent calls for one ticket, exactly one receives it; the
   * others receive `null`.
   */
  consumeTicket?(key: TicketKey): MaybePromise<Maybe<Ticket>>
  /**
   * Replaces a ticket if it is unchanged: if it has the user, the `data`, the tries and the expiry of `expected`. Of
   * concurrent calls with the same `expected`, exactly one writes.
   *
   * @param expected - The ticket as it was read; `null` creates a ticket.
   * @returns `false`, with no effect, if the ticket has changed or is gone; with `null`, if it exists.
   */
  putTicket?(ticket: Ticket, expected: Ticket | null): MaybePromise<boolean>
  /** Returns tickets of a kind whose `dueAt` is not later than this time, the earliest first. */
  listDueTickets?(kind: string, now: Date, max: number): MaybePromise<readonly Ticket[]>
  /** Deletes the tickets of a user: those of one kind, or all. `deleteUser` deletes all of them, too. */
  deleteTickets?(userId: string, kind?: string): MaybePromise<unknown>
  /** Stores a factor. `deleteUser` deletes it. @throws An error named `DuplicateError` if the pair (`type`, `id`) exists. */
  createFactor?(factor: Factor): MaybePromise<unknown>
  getFactor?(key: FactorKey): MaybePromise<Maybe<Factor>>
  /** Returns the factors of a user, of one type or all, the oldest first. */
  listFactors?(userId: string, type?: string): MaybePromise<readonly Factor[]>
  /**
   * Writes `name`, `data` and `lastUsedAt`, and increments `version`, in one atomic step. Of concurrent calls that expect
   * one version, exactly one writes.
   *
   * @returns `false` if the factor has another version or another user, or is gone.
   */
  updateFactor?(factor: Factor, expectedVersion: number): MaybePromise<boolean>
  /** Deletes a factor. @returns Whether it existed: of concurrent calls, exactly one receives `true`. */
  deleteFactor?(key: FactorKey): MaybePromise<boolean>
  /**
   * Stores events, at most 1,000: all of them or none. `deleteUser` leaves them.
   *
   * @throws An error named `DuplicateError` if an `id` exists.
   */
  addEvents?(events: readonly EventRecord[]): MaybePromise<unknown>
  /** Returns events, the newest first. Events with the same `time` have a stable order, which the store chooses. */
  listEvents?(query: EventQuery): MaybePromise<readonly EventRecord[]>
  /** Deletes the oldest events before this time, at most `most`. @returns The number of deleted events. */
  deleteEvents?(before: Date, max: number): MaybePromise<number>
  /**
   * Deletes sessions, one-time tokens, records, revocations, leases and tickets that expired before this time, each by
   * its own expiry: a record expires before its session unless it is updated when the session is extended. It also deletes
   * the row of a user who no longer exists, once its `until` is before this time.
   *
   * @param most - The maximum number of rows per table: small batches do not block the tables.
   * @returns The number of deleted rows.
   */
  deleteExpired?(before: Date, max: number): MaybePromise<number>
  /** Returns the rows of a table with texts that Postern encrypts, in the order of their keys. */
  listEncryptedRows?(query: EncryptedRowQuery): MaybePromise<readonly EncryptedRow[]>
  /**
   * Replaces the texts of a row, if it still has those that were read, in one atomic step. It changes nothing else, such as
   * the `version` of a factor: who reads the row meanwhile can still write it.
   *
   * @returns `false` if the row has other texts, or no longer exists.
   */
  replaceEncryptedTexts?(table: EncryptedTable, row: EncryptedRow, texts: EncryptedTexts): MaybePromise<boolean>

  /** Returns what in the database does not fit, which registration logs. It is called once, in the background. */
  findProblems?(): MaybePromise<readonly AdapterProblem[]>
  /** Closes the resources that the adapter opened itself. */
  close?(): MaybePromise<void>
}

/** An adapter of another library: the same methods with its own types. Registration validates them. */
export type ForeignAdapter = {
  readonly [M in keyof Adapter]?: ((...args: never[]) => unknown) | undefined
}
