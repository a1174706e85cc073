import { AuthError } from '../errors/auth-error.ts'
import { describe } from '../errors/describe.ts'
import { inTime } from '../errors/foreign.ts'
import { redacted, textsIn } from '../errors/redact.ts'
import type { Account } from '../model/account.ts'
import type { Logger } from '../model/logger.ts'
import type {
  AccountKey,
  Adapter,
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  NewUser,
  VerificationToken
} from './adapter.ts'

/** The store did not answer, or answered nonsense. */
export class StoreError extends AuthError {
  /** The adapter's method. */
  readonly method: string

  constructor(method: string, message: string, cause?: unknown) {
    // Frameworks show an error's message to visitors: which method it was is for the log.
    super('StoreUnavailable', 'the store did not answer', {
      cause: new Error(`adapter.${method}: ${message}`, { cause })
    })
    this.method = method
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
  createSession(session: AdapterSession): Promise<void>
  getSessionAndUser(sessionToken: string): Promise<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession(session: Partial<AdapterSession> & { sessionToken: string }): Promise<void>
  deleteSession(sessionToken: string): Promise<unknown>
  createVerificationToken(token: VerificationToken): Promise<void>
  useVerificationToken(key: { identifier: string; token: string }): Promise<VerificationToken | null>
  readonly deleteUser: ((id: string) => Promise<void>) | null
  readonly unlinkAccount: ((key: AccountKey) => Promise<void>) | null
  readonly createUserWithAccount: ((user: NewUser, account: Account) => Promise<AdapterUser>) | null
  readonly updateAccount: ((account: AccountKey & Partial<Account>) => Promise<void>) | null
  readonly getAccounts: ((userId: string) => Promise<readonly AdapterAccount[]>) | null
  readonly getVerificationToken:
    | ((key: { identifier: string; token: string }) => Promise<VerificationToken | null>)
    | null
  readonly listSessions: ((userId: string) => Promise<readonly AdapterSession[]>) | null
  readonly deleteSessions: ((userId: string, except?: string) => Promise<void>) | null
  /** Not bounded in time: it waits for its turn, and for the work. */
  readonly withLease: (<T>(name: string, work: () => Promise<T>) => Promise<T>) | null
}

type Check<T> = (value: unknown) => value is T

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())
const isUser = (value: unknown): value is AdapterUser =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== ''
const isSession = (value: unknown): value is AdapterSession =>
  isObject(value) &&
  typeof value['sessionToken'] === 'string' &&
  typeof value['userId'] === 'string' &&
  isDate(value['expires'])
const isToken = (value: unknown): value is VerificationToken =>
  isObject(value) &&
  typeof value['identifier'] === 'string' &&
  typeof value['token'] === 'string' &&
  isDate(value['expires'])
const isSessionAndUser = (value: unknown): value is { session: AdapterSession; user: AdapterUser } =>
  isObject(value) && isSession(value['session']) && isUser(value['user'])
const isList = (value: unknown): value is readonly never[] => Array.isArray(value)

const isCount = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Some databases count their users; an id is a text to us, and databases take a text for the number that it spells. */
function withTextIds(value: unknown): unknown {
  if (!isObject(value)) return value
  const { id, userId, session, user } = value
  if (isCount(id)) return { ...value, id: String(id) }
  if (isCount(userId)) return { ...value, userId: String(userId) }
  const isPair = isObject(session) && isObject(user) && (isCount(session['userId']) || isCount(user['id']))
  return isPair ? { ...value, session: withTextIds(session), user: withTextIds(user) } : value
}

type Method = (...args: never[]) => unknown

export interface StoreSettings {
  readonly isDebugging: boolean
  /** Milliseconds that a method may take. */
  readonly timeout: number
}

/** A failure of the work is the work's own; one of the lease is the store's. */
async function leased<T>(adapter: Adapter, name: string, work: () => Promise<T>): Promise<T> {
  let failure: { readonly cause: unknown } | null = null
  const noted = (): Promise<T> =>
    work().catch((cause: unknown) => {
      failure = { cause }
      throw cause
    })
  try {
    if (!adapter.withLease) throw new TypeError('the adapter does not have this method')
    return await adapter.withLease(name, noted)
  } catch (error) {
    throw failure ? error : new StoreError('withLease', 'the store did not answer', error)
  }
}

/** Makes of an adapter a store that never answers "not there" for "I could not look". */
export function toStore(adapter: Adapter, logger: Logger, { isDebugging, timeout }: StoreSettings): Store {
  /** Calls a method; a failure is logged under next-auth's code and becomes a `StoreError`. */
  const call = async (name: keyof Adapter, args: readonly unknown[]): Promise<unknown> => {
    if (isDebugging) logger.debug(`adapter_${name}`, {})
    const method: unknown = adapter[name]
    if (typeof method !== 'function') throw new StoreError(name, 'the adapter does not have this method')
    try {
      return await inTime(`adapter.${name}`, method.apply(adapter, args), timeout)
    } catch (error) {
      // Database libraries quote the values of a statement that failed: tokens and addresses.
      const cause = redacted(error, textsIn(args))
      logger.error(`adapter_error_${name}`, describe(cause))
      throw cause instanceof StoreError ? cause : new StoreError(name, 'the store did not answer', cause)
    }
  }
  const done =
    (name: keyof Adapter): ((...args: readonly unknown[]) => Promise<void>) =>
    async (...args) => {
      await call(name, args)
    }
  const one =
    <T>(name: keyof Adapter, is: Check<T>) =>
    async (...args: readonly unknown[]): Promise<T> => {
      const value = withTextIds(await call(name, args))
      if (!is(value)) throw new StoreError(name, 'the answer does not have the promised shape')
      return value
    }
  const maybe =
    <T>(name: keyof Adapter, is: Check<T>) =>
    async (...args: readonly unknown[]): Promise<T | null> => {
      const value = withTextIds(await call(name, args))
      if (value !== null && value !== undefined && !is(value))
        throw new StoreError(name, 'the answer does not have the promised shape')
      return value ?? null
    }
  const where = <F extends Method>(name: keyof Adapter, method: F): F | null => (adapter[name] ? method : null)
  return {
    createUser: one('createUser', isUser),
    getUser: maybe('getUser', isUser),
    getUserByEmail: maybe('getUserByEmail', isUser),
    getUserByAccount: maybe('getUserByAccount', isUser),
    updateUser: one('updateUser', isUser),
    linkAccount: done('linkAccount'),
    createSession: done('createSession'),
    getSessionAndUser: maybe('getSessionAndUser', isSessionAndUser),
    updateSession: done('updateSession'),
    deleteSession: (sessionToken) => call('deleteSession', [sessionToken]),
    createVerificationToken: done('createVerificationToken'),
    useVerificationToken: maybe('useVerificationToken', isToken),
    deleteUser: where('deleteUser', done('deleteUser')),
    unlinkAccount: where('unlinkAccount', done('unlinkAccount')),
    createUserWithAccount: where('createUserWithAccount', one('createUserWithAccount', isUser)),
    updateAccount: where('updateAccount', done('updateAccount')),
    getAccounts: where('getAccounts', one('getAccounts', isList)),
    getVerificationToken: where('getVerificationToken', maybe('getVerificationToken', isToken)),
    listSessions: where('listSessions', one('listSessions', isList)),
    deleteSessions: where('deleteSessions', done('deleteSessions')),
    withLease: adapter.withLease ? (name, work) => leased(adapter, name, work) : null
  }
}
