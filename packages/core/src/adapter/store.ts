import { AuthError } from '../errors/auth-error.ts'
import type { ErrorCode } from '../errors/error-codes.ts'
import { InvalidKeyError, isInvalidValueError } from '../errors/invalid-value-error.ts'
import { isAmbiguousError, isDuplicateError, isReferencedError } from '../errors/store-conflict.ts'
import { isTransientError } from '../errors/transient-errors.ts'
import type { Account } from '../model/account.ts'
import type { AccountEvidence } from './account-evidence.ts'
import type {
  AccountKey,
  Adapter,
  AdapterAccount,
  AdapterCall,
  AdapterProblem,
  AdapterSession,
  AdapterUser,
  NewUser,
  UserQuery,
  UserVersionQuery,
  VerificationToken
} from './adapter.ts'
import type { EncryptedRow, EncryptedRowQuery, EncryptedTable, EncryptedTexts } from './encrypted-row.ts'
import type { EventQuery, EventRecord } from './event-record.ts'
import type { Factor, FactorKey } from './factor.ts'
import type { Revocation } from './revocation.ts'
import type { SessionRecord, SessionRecordQuery } from './session-record.ts'
import type { Ticket, TicketKey } from './ticket.ts'
import type { UserAdvance, UserVersion } from './user-version.ts'

/** How a failure is reported; the status is that of the code unless there is one. */
interface Report {
  readonly code: ErrorCode
  readonly message: string
  readonly status?: number
}

const outage: Report = { code: 'StoreUnavailable', message: 'the store did not respond' }

/** The methods that delete a user, or try to. */
const deletions: readonly string[] = ['deleteUser', 'checkUserDeletion'] satisfies readonly (keyof Adapter)[]

/** Reports a failure that is not an outage. A conflict stays until somebody changes the data. */
function describeRefusal(method: string, cause: unknown): Report {
  if (cause instanceof InvalidKeyError) return { code: 'Callback', message: 'a key is invalid', status: 400 }
  if (isDuplicateError(cause)) return { code: 'StoreConflict', message: 'the store has another row with this key' }
  if (isAmbiguousError(cause))
    return { code: 'StoreConflict', message: 'the store has several users with this address' }
  if (deletions.includes(method) && isReferencedError(cause))
    return { code: 'UserReferenced', message: 'other rows of the store refer to the user' }
  return { code: 'StoreUnavailable', message: 'the store failed' }
}

/** The store did not respond, refused a call, or returned an invalid result; or it was not called, because a key is invalid. */
export class StoreError extends AuthError {
  /** The adapter's method. */
  readonly method: string
  /** Whether the call timed out and may still take effect; for transactions, see `TransactionOutcome`. */
  readonly isLate: boolean
  /** Whether the store is unavailable, and did not reject the call. */
  readonly isOutage: boolean
  /** Whether a value does not have the type of its column, such as a user id that is not a UUID. */
  readonly isInvalidValue: boolean

  /** @param reason - What is wrong with the result; `null` if the call failed. */
  constructor(method: string, reason: string | null, cause?: unknown, isLate: boolean = false) {
    const isOutage = isLate || isTransientError(cause)
    const { code, message, status } = isOutage ? outage : describeRefusal(method, cause)
    // Frameworks may show the message to clients, so only the cause names the method.
    const described = new Error(`adapter.${method}: ${reason ?? message}`, { cause })
    super(code, message, { cause: described, ...(status === undefined ? {} : { status }) })
    this.method = method
    this.isLate = isLate
    this.isOutage = isOutage
    this.isInvalidValue = !isLate && isInvalidValueError(cause)
  }
}

/** What became of a transaction. */
export type TransactionOutcome =
  | { readonly kind: 'committed' }
  /**
   * The calls failed; as far as can be determined, they had no effect. The reason is `null` if a one-time token, a ticket
   * or the row of a required call does not exist, or if a factor, a ticket or the row of a user is not as expected.
   */
  | { readonly kind: 'aborted'; readonly reason: StoreError | null }
  /** The calls timed out and may still take effect. */
  | { readonly kind: 'unknown'; readonly reason: StoreError }

/**
 * @returns Whether the calls were made: not if the store has refused them.
 * @throws StoreError if the store did not respond, or if it is unknown whether they were made.
 */
export function isCommitted(outcome: TransactionOutcome): boolean {
  if (outcome.kind === 'committed') return true
  const { reason } = outcome
  if (reason && (outcome.kind === 'unknown' || reason.isOutage)) throw reason
  return false
}

/** A stored user, and the row that was read with them. */
export interface FoundUser {
  readonly user: AdapterUser
  /** Version 0 if there is no row. */
  readonly version: UserVersion
  /** The account that the user was found by. */
  readonly account?: AdapterAccount | undefined
}

/** A validated adapter: missing methods are `null`, and every result has the promised shape. */
export interface Store {
  createUser(user: NewUser): Promise<AdapterUser>
  /** Returns an id for a user to create; `null` if any id is right. */
  readonly createUserId: ((user: NewUser) => Promise<string>) | null
  getUser(id: string): Promise<AdapterUser | null>
  getUserByEmail(email: string): Promise<AdapterUser | null>
  getUserByAccount(key: AccountKey): Promise<AdapterUser | null>
  /** Finds a user together with their row, as at one moment, or the row first. */
  findUser(by: UserVersionQuery): Promise<FoundUser | null>
  updateUser(user: Partial<AdapterUser> & { id: string }): Promise<AdapterUser>
  linkAccount(account: AdapterAccount): Promise<void>
  createSession(session: AdapterSession, record?: SessionRecord): Promise<void>
  getSessionAndUser(sessionToken: string): Promise<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession(session: Partial<AdapterSession> & { sessionToken: string }): Promise<void>
  /** @param isRequired - Whether a transaction is rolled back if there is no such session. */
  deleteSession(sessionToken: string, isRequired?: boolean): Promise<unknown>
  createVerificationToken(token: VerificationToken): Promise<void>
  useVerificationToken(key: { identifier: string; token: string }): Promise<VerificationToken | null>
  readonly deleteUser: ((id: string) => Promise<void>) | null
  /** Throws what `deleteUser` would throw, without any effect; `null` if the adapter cannot tell. */
  readonly checkUserDeletion: ((id: string) => Promise<void>) | null
  readonly unlinkAccount: ((key: AccountKey) => Promise<void>) | null
  readonly createUserWithAccount: ((user: NewUser, account: Account) => Promise<AdapterUser>) | null
  /** Returns `false` if the account does not match: it has another refresh token or user, or does not exist. */
  readonly updateAccount:
    | ((
        account: AccountKey & Partial<Account>,
        expected?: Partial<Pick<AdapterAccount, 'refresh_token' | 'userId'>>
      ) => Promise<boolean>)
    | null
  readonly getAccounts: ((userId: string) => Promise<readonly AdapterAccount[]>) | null
  readonly getVerificationToken:
    | ((key: { identifier: string; token: string }) => Promise<VerificationToken | null>)
    | null
  /** Returns what in the stored rows does not fit. */
  readonly findProblems: (() => Promise<readonly AdapterProblem[]>) | null
  readonly listUsers: ((query: UserQuery) => Promise<readonly AdapterUser[]>) | null
  readonly listSessions: ((userId: string, limit?: number) => Promise<readonly AdapterSession[]>) | null
  readonly deleteSessions: ((userId: string, except?: string) => Promise<void>) | null
  /** Has no time limit: it waits for the lease and for the work. */
  readonly withLease: (<T>(name: string, work: () => Promise<T>) => Promise<T>) | null
  /** Makes the calls in one transaction. */
  readonly transact: ((calls: readonly AdapterCall[]) => Promise<TransactionOutcome>) | null
  readonly putSessionRecord: ((record: SessionRecord) => Promise<void>) | null
  readonly getSessionRecords: ((query: SessionRecordQuery) => Promise<readonly SessionRecord[]>) | null
  readonly deleteSessionRecord: ((id: string) => Promise<void>) | null
  /** Returns the number of deleted rows. */
  readonly deleteExpired: ((before: Date, max: number) => Promise<number>) | null
  /** Evidence of accounts; `null` if the adapter does not store it. */
  readonly evidence: EvidenceStore | null
  /** Pending operations; `null` if the adapter does not store them. */
  readonly tickets: TicketStore | null
  /** The rows that say what may sign in as a user; `null` if the adapter does not store them. */
  readonly versions: VersionStore | null
  /** What users authenticate with; `null` if the adapter does not store it. */
  readonly factors: FactorStore | null
  /** Security events; `null` if the adapter does not store them. */
  readonly events: EventStore | null
  /** Rows whose texts may be encrypted, as they are stored; `null` if the adapter does not list them. */
  readonly encryptedRows: EncryptedRowStore | null
  /** The methods for revocations of JWT sessions; `null` if the adapter does not store them. */
  readonly revocations: Revocations | null
}

/** The adapter's methods for rows with encrypted texts, validated. */
export interface EncryptedRowStore {
  list(query: EncryptedRowQuery): Promise<readonly EncryptedRow[]>
  /** Replaces the texts of a row. @returns `false` if it no longer has those of `row`. */
  replace(table: EncryptedTable, row: EncryptedRow, texts: EncryptedTexts): Promise<boolean>
}

/** The methods for revocations, validated. */
export interface Revocations {
  revoke(subject: string, until: Date, version?: number): Promise<number>
  getRevocations(subjects: readonly string[]): Promise<readonly Revocation[]>
  listRevocations(since: Date, max: number): Promise<readonly Revocation[]>
}

/** The adapter's methods for the rows of users, validated, and what changes together with them. */
export interface VersionStore {
  /** Returns version 0 if there is no row. */
  get(userId: string): Promise<UserVersion>
  /**
   * Requires this version until the transaction has ended. In a transaction it returns `true`, and the transaction is
   * aborted if the row has another one.
   */
  require(userId: string, version: number): Promise<boolean>
  /** Changes the row. @returns `false` if it has another version than the expected one; in a transaction like `require`. */
  advance(advance: UserAdvance): Promise<boolean>
  /** Requires this address of a user until the transaction has ended; in a transaction like `require`. */
  requireAddress(userId: string, email: string | null): Promise<boolean>
  /** Revokes the JWT sessions of a subject; in a transaction with it. That of a user is part of what raises their row. */
  revoke(subject: string, until: Date): Promise<void>
  /** Stores the record of a session; in a transaction with it, unlike the method of the store. */
  putSessionRecord(record: SessionRecord): Promise<void>
  /** Deletes the record of a session; in a transaction with it, unlike the method of the store. */
  deleteSessionRecord(id: string): Promise<void>
}

/** The adapter's methods for evidence of accounts, validated. */
export interface EvidenceStore {
  put(evidence: AccountEvidence): Promise<void>
  list(userId: string): Promise<readonly AccountEvidence[]>
}

/** The adapter's methods for tickets, validated. */
export interface TicketStore {
  create(ticket: Ticket): Promise<void>
  read(key: TicketKey): Promise<Ticket | null>
  /** Whether `readAll` makes one query. */
  readonly readsAtOnce: boolean
  /**
   * Reads several tickets: with one query, if the adapter has `readTickets`.
   *
   * @returns One for each key, in their order; `null` if there is none.
   */
  readAll(keys: readonly TicketKey[]): Promise<readonly (Ticket | null)[]>
  /** Increments `tries` atomically. @returns The new count; `null` if there is no such ticket. */
  countTry(key: TicketKey): Promise<number | null>
  /** Deletes a ticket and returns it; exactly one of several concurrent callers receives it. */
  consume(key: TicketKey): Promise<Ticket | null>
  /**
   * Replaces a ticket if it is unchanged since it was read, or creates one if `expected` is `null`. In a transaction it
   * returns `true`, and the transaction is aborted if it has changed.
   *
   * @param expected - The value that this store returned.
   * @returns `false` if the ticket has changed or is gone; with `null`, if it exists.
   */
  readonly put: ((ticket: Ticket, expected: Ticket | null) => Promise<boolean>) | null
  /** Returns tickets of a kind that are due, the earliest first; `null` if the adapter does not list them. */
  readonly listDue: ((kind: string, now: Date, max: number) => Promise<readonly Ticket[]>) | null
  /** Deletes the tickets of a user: those of one kind, or all. */
  delete(userId: string, kind?: string): Promise<void>
}

/** The adapter's methods for factors, validated. */
export interface FactorStore {
  create(factor: Factor): Promise<void>
  /** @throws StoreError also if the key that encrypted the factor is missing. */
  get(key: FactorKey): Promise<Factor | null>
  /** Returns the factors of a user, of one type or all, the oldest first. @throws StoreError like `get`. */
  list(userId: string, type?: string): Promise<readonly Factor[]>
  /** Returns the keys of all factors of a user, also of those that cannot be decrypted. */
  listKeys(userId: string): Promise<readonly FactorKey[]>
  /**
   * Writes `name`, `data` and `lastUsedAt`, and increments `version`, atomically. In a transaction it returns `true`,
   * and the transaction is aborted if the version differs.
   *
   * @returns `false` if the factor has another version or another user, or does not exist.
   */
  update(factor: Factor, expectedVersion: number): Promise<boolean>
  /**
   * Deletes a factor.
   *
   * @param isRequired - Whether a transaction is aborted if there is no such factor.
   * @returns Whether it existed; in a transaction always `true`.
   */
  delete(key: FactorKey, isRequired?: boolean): Promise<boolean>
}

/** The adapter's methods for events, validated. */
export interface EventStore {
  add(events: readonly EventRecord[]): Promise<void>
  /** Returns events, the newest first. */
  list(query: EventQuery): Promise<readonly EventRecord[]>
  /** Deletes the oldest events before a time, at most `most`. @returns The number of deleted events. */
  delete(before: Date, max: number): Promise<number>
}
