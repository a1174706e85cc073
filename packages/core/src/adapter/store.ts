import { AuthError } from '../errors/auth-error.ts'
import { isOutage } from '../errors/transient-errors.ts'
import type { Account } from '../model/account.ts'
import type {
  AccountKey,
  AdapterAccount,
  AdapterCall,
  AdapterSession,
  AdapterUser,
  NewUser,
  VerificationToken
} from './adapter.ts'
import type { Revocation } from './revocation.ts'
import type { SessionRecord, SessionRecordQuery } from './session-record.ts'

/** The store did not answer, or answered nonsense. */
export class StoreError extends AuthError {
  /** The adapter's method. */
  readonly method: string
  /** Whether it may answer yet: what was asked may happen after all. */
  readonly isLate: boolean
  /** Whether it is out of order, and has not refused what it was asked. */
  readonly isOutage: boolean

  constructor(method: string, message: string, cause?: unknown, isLate: boolean = false) {
    // Frameworks show an error's message to visitors: which method it was is for the log.
    super('StoreUnavailable', 'the store did not answer', {
      cause: new Error(`adapter.${method}: ${message}`, { cause })
    })
    this.method = method
    this.isLate = isLate
    this.isOutage = isLate || isOutage(cause)
  }
}

/** An adapter that was looked over: what it lacks is `null`, what it answers has the promised shape. */
export interface Store {
  createUser(user: NewUser): Promise<AdapterUser>
  getUser(id: string): Promise<AdapterUser | null>
  getUserByEmail(email: string): Promise<AdapterUser | null>
  getUserByAccount(key: AccountKey): Promise<AdapterUser | null>
  updateUser(user: Partial<AdapterUser> & { id: string }): Promise<AdapterUser>
  linkAccount(account: AdapterAccount): Promise<void>
  createSession(session: AdapterSession, record?: SessionRecord): Promise<void>
  getSessionAndUser(sessionToken: string): Promise<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession(session: Partial<AdapterSession> & { sessionToken: string }): Promise<void>
  deleteSession(sessionToken: string): Promise<unknown>
  createVerificationToken(token: VerificationToken): Promise<void>
  useVerificationToken(key: { identifier: string; token: string }): Promise<VerificationToken | null>
  readonly deleteUser: ((id: string) => Promise<void>) | null
  readonly unlinkAccount: ((key: AccountKey) => Promise<void>) | null
  readonly createUserWithAccount: ((user: NewUser, account: Account) => Promise<AdapterUser>) | null
  /** Answers `false` where the account has another refresh token than was expected. */
  readonly updateAccount:
    | ((account: AccountKey & Partial<Account>, expected?: Pick<AdapterAccount, 'refresh_token'>) => Promise<boolean>)
    | null
  readonly getAccounts: ((userId: string) => Promise<readonly AdapterAccount[]>) | null
  readonly getVerificationToken:
    | ((key: { identifier: string; token: string }) => Promise<VerificationToken | null>)
    | null
  readonly listSessions: ((userId: string) => Promise<readonly AdapterSession[]>) | null
  readonly deleteSessions: ((userId: string, except?: string) => Promise<void>) | null
  /** Not bounded in time: it waits for its turn, and for the work. */
  readonly withLease: (<T>(name: string, work: () => Promise<T>) => Promise<T>) | null
  readonly atomically: ((calls: readonly AdapterCall[]) => Promise<boolean>) | null
  /** Answers with the version of the user's revocations, or `null` where the adapter does not tell it. */
  readonly putSessionRecord: ((record: SessionRecord) => Promise<number | null>) | null
  readonly getSessionRecords: ((query: SessionRecordQuery) => Promise<readonly SessionRecord[]>) | null
  readonly deleteSessionRecord: ((id: string) => Promise<void>) | null
  /** Answers with the number of rows that were deleted. */
  readonly deleteExpired: ((before: Date, most: number) => Promise<number>) | null
  /** Where revocations of signed tokens are kept, where the adapter keeps them. */
  readonly revocations: Revocations | null
}

/** A store of revocations that was looked over. */
export interface Revocations {
  revoke(subject: string, until: Date): Promise<number>
  getRevocations(subjects: readonly string[]): Promise<readonly Revocation[]>
  listRevocations(since: Date, most: number): Promise<readonly Revocation[]>
}
