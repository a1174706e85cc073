import { isObject } from '../model/json-object.ts'
import type { Logger } from '../model/logger.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { AccountEvidence } from './account-evidence.ts'
import type {
  Adapter,
  AdapterAccount,
  AdapterProblem,
  AdapterSession,
  AdapterUser,
  UserVersionQuery,
  UserWithVersion,
  VerificationToken
} from './adapter.ts'
import { prepareCall } from './call-arguments.ts'
import type { EncryptedRow } from './encrypted-row.ts'
import type { EventRecord } from './event-record.ts'
import { type AuthJsAdapter, getAccountSource, type StoreMethods, withExactMatches } from './exact-matches.ts'
import type { Factor } from './factor.ts'
import { type Check, createInvoker, type Invoker, type StoreSettings } from './invoke.ts'
import { type Revocation, type RevocationStore, revocationMethods } from './revocation.ts'
import type { SessionRecord } from './session-record.ts'
import {
  type EncryptedRowStore,
  type EventStore,
  type EvidenceStore,
  type FactorStore,
  type FoundUser,
  type Revocations,
  type Store,
  StoreError,
  type TicketStore,
  type VersionStore
} from './store.ts'
import { TextIds } from './text-ids.ts'
import { isSameKey, type Ticket } from './ticket.ts'
import { createTransact } from './transaction.ts'
import { noUserVersion, type UserVersion } from './user-version.ts'

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())
const isDateOrNull = (value: unknown): value is Date | null => value === null || isDate(value)
const isUser = (value: unknown): value is AdapterUser =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== ''
const isAccount = (value: unknown): value is AdapterAccount =>
  isObject(value) && typeof value['provider'] === 'string' && typeof value['userId'] === 'string'
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
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isId = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const isTextOrNull = (value: unknown): boolean => typeof value === 'string' || value === null || value === undefined
const isRecord = (value: unknown): value is SessionRecord =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  typeof value['userId'] === 'string' &&
  isTextOrNull(value['sessionToken']) &&
  isTextOrNull(value['provider']) &&
  isTextOrNull(value['providerSessionId']) &&
  isTextOrNull(value['userAgent']) &&
  isTextOrNull(value['address']) &&
  isTextOrNull(value['data']) &&
  isDate(value['createdAt']) &&
  isDate(value['lastSeen']) &&
  isDate(value['expires'])
const isRevocation = (value: unknown): value is Revocation =>
  isObject(value) && typeof value['subject'] === 'string' && isNumber(value['version']) && isDate(value['until'])
const isEvidence = (value: unknown): value is AccountEvidence =>
  isObject(value) &&
  typeof value['provider'] === 'string' &&
  typeof value['providerAccountId'] === 'string' &&
  typeof value['userId'] === 'string' &&
  typeof value['email'] === 'string' &&
  isDate(value['verifiedAt'])
const isTicket = (value: unknown): value is Ticket =>
  isObject(value) &&
  typeof value['kind'] === 'string' &&
  typeof value['id'] === 'string' &&
  (value['userId'] === null || typeof value['userId'] === 'string') &&
  typeof value['data'] === 'string' &&
  isNumber(value['tries']) &&
  isDate(value['expires']) &&
  (value['dueAt'] === undefined || isDateOrNull(value['dueAt']))
const isFactor = (value: unknown): value is Factor =>
  isObject(value) &&
  typeof value['type'] === 'string' &&
  typeof value['id'] === 'string' &&
  typeof value['userId'] === 'string' &&
  (value['name'] === null || typeof value['name'] === 'string') &&
  typeof value['data'] === 'string' &&
  isDate(value['createdAt']) &&
  (value['lastUsedAt'] === null || isDate(value['lastUsedAt'])) &&
  Number.isSafeInteger(value['version'])
const isEvent = (value: unknown): value is EventRecord =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  isDate(value['time']) &&
  typeof value['type'] === 'string' &&
  eventTexts.every((name) => value[name] === null || typeof value[name] === 'string')
const eventTexts = ['userId', 'sessionId', 'ip', 'userAgent', 'provider', 'requestId', 'data']
const isEncryptedRow = (value: unknown): value is EncryptedRow =>
  isObject(value) &&
  typeof value['group'] === 'string' &&
  typeof value['id'] === 'string' &&
  isObject(value['texts']) &&
  Object.values(value['texts']).every((text) => text === null || typeof text === 'string')
const isUserVersion = (value: unknown): value is UserVersion =>
  isObject(value) &&
  typeof value['userId'] === 'string' &&
  isVersion(value['version']) &&
  isVersion(value['sessionsFrom']) &&
  isDateOrNull(value['suspendedAt']) &&
  isTextOrNull(value['changeId']) &&
  isDateOrNull(value['until'])
const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
/** Whether the parts belong together: a version of another user would let somebody in. */
const isUserWithVersion = (value: unknown): value is UserWithVersion => {
  if (!isObject(value)) return false
  const { user, version, account } = value
  if (!isUser(user) || (version !== null && !(isUserVersion(version) && version.userId === user.id))) return false
  return account === undefined || (isAccount(account) && account.userId === user.id)
}
const isListOf =
  <T>(is: Check<T>) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(is)

const isProblems: Check<readonly AdapterProblem[]> = isListOf(
  (value): value is AdapterProblem =>
    isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string'
)
const isUsers: Check<readonly AdapterUser[]> = isListOf(isUser)
const isSessions: Check<readonly AdapterSession[]> = isListOf(isSession)
const isRecords: Check<readonly SessionRecord[]> = isListOf(isRecord)
const isEvidenceList: Check<readonly AccountEvidence[]> = isListOf(isEvidence)
const isTickets: Check<readonly Ticket[]> = isListOf(isTicket)
const isFactors: Check<readonly Factor[]> = isListOf(isFactor)
const isEvents: Check<readonly EventRecord[]> = isListOf(isEvent)
const isEncryptedRows: Check<readonly EncryptedRow[]> = isListOf(isEncryptedRow)
const isRevocations: Check<readonly Revocation[]> = isListOf(isRevocation)

type Method = (...args: never[]) => unknown

/** An error of the work is rethrown; an error of the lease is a store error. */
async function runWithLease<T>(adapter: Adapter, name: string, work: () => Promise<T>): Promise<T> {
  let failure: { readonly cause: unknown } | null = null
  const runWork = (): Promise<T> =>
    work().catch((cause: unknown) => {
      failure = { cause }
      throw cause
    })
  try {
    prepareCall('withLease', [name])
    if (!adapter.withLease) throw new TypeError('the adapter does not have this method')
    return await adapter.withLease(name, runWork)
  } catch (error) {
    throw failure ? error : new StoreError('withLease', null, error)
  }
}

function wrapRevocations({ one }: Invoker<keyof RevocationStore>): Revocations {
  return {
    revoke: one('revoke', isNumber),
    getRevocations: one('getRevocations', isRevocations),
    listRevocations: one('listRevocations', isRevocations)
  }
}

function evidenceStore({ done, one }: Invoker<keyof Adapter>): EvidenceStore {
  return { put: done('putAccountEvidence'), list: one('getAccountEvidence', isEvidenceList) }
}

function ticketStore({ done, maybe, one }: Invoker<keyof Adapter>, adapter: Adapter): TicketStore {
  const hasReadTickets = Boolean(adapter.readTickets)
  const read: TicketStore['read'] = maybe('readTicket', isTicket)
  const readTickets = one('readTickets', isTickets)
  return {
    create: done('createTicket'),
    read,
    readsAtOnce: hasReadTickets,
    readAll: async (keys) => {
      if (!hasReadTickets || keys.length === 1) {
        // In order: what a request replaces is read before what it replaces it with.
        const found: (Ticket | null)[] = []
        for (const key of keys) found.push(await read(key))
        return found
      }
      const found = await readTickets(keys)
      // A ticket under another spelling of its key may suspend the user: it must not count as missing.
      if (!found.every((ticket) => keys.some((key) => isSameKey(ticket, key))))
        throw new StoreError('readTickets', 'the adapter returned a ticket with another key')
      return keys.map((key) => found.find((ticket) => isSameKey(ticket, key)) ?? null)
    },
    countTry: maybe('countTry', isNumber),
    consume: maybe('consumeTicket', isTicket),
    put: adapter.putTicket ? one('putTicket', isFlag) : null,
    listDue: adapter.listDueTickets ? one('listDueTickets', isTickets) : null,
    delete: done('deleteTickets')
  }
}

function versionStore(calls: Invoker<keyof Adapter>, adapter: Adapter): VersionStore {
  const { any, done, maybe, one } = calls
  const read = maybe('getUserVersion', isUserVersion)
  const get: VersionStore['get'] = async (userId) => {
    const row = await read(userId)
    // The row of another user would let somebody in whose sessions have ended.
    if (row && row.userId !== userId)
      throw new StoreError('getUserVersion', 'the adapter returned the row of another user')
    return row ?? noUserVersion(userId)
  }
  const require = one('requireUserVersion', isFlag)
  const requireAddress = one('requireAddress', isFlag)
  const getUser = maybe('getUser', isUser)
  return {
    get,
    require: async (userId, version) =>
      adapter.requireUserVersion ? require(userId, version) : (await get(userId)).version === version,
    advance: one('advanceUser', isFlag),
    requireAddress: async (userId, email) =>
      adapter.requireAddress ? requireAddress(userId, email) : ((await getUser(userId))?.email ?? null) === email,
    revoke: done('revoke'),
    putSessionRecord: done('putSessionRecord'),
    deleteSessionRecord: async (id) => void (await any('deleteSessionRecord')(id))
  }
}

function factorStore({ any, done, maybe, one }: Invoker<keyof Adapter>): FactorStore {
  return {
    create: done('createFactor'),
    get: maybe('getFactor', isFactor),
    list: one('listFactors', isFactors),
    listKeys: one('listFactors', isFactors),
    update: one('updateFactor', isFlag),
    delete: async (key) => Boolean(await any('deleteFactor')(key))
  }
}

function eventStore({ done, one }: Invoker<keyof Adapter>): EventStore {
  return { add: done('addEvents'), list: one('listEvents', isEvents), delete: one('deleteEvents', isNumber) }
}

function encryptedRowStore({ one }: Invoker<keyof Adapter>): EncryptedRowStore {
  return { list: one('listEncryptedRows', isEncryptedRows), replace: one('replaceEncryptedTexts', isFlag) }
}

/** The same for a store of revocations that is not an adapter. */
export function toRevocations(store: RevocationStore, logger: Logger, settings: StoreSettings): Revocations {
  return wrapRevocations(createInvoker<keyof RevocationStore>(store, logger, settings, null))
}

/**
 * Wraps an adapter in a store that never reports a failure as "not found", and never returns a row for a similar key.
 */
export function wrapAdapter(adapter: AuthJsAdapter, logger: Logger, settings: StoreSettings): Store {
  // The calls of a transaction contain ids as strings, so an adapter with `transact` also returns them as strings.
  const ids = adapter.transact ? null : new TextIds()
  const calls = createInvoker<keyof AuthJsAdapter>(adapter, logger, settings, ids)
  const accounts = { source: getAccountSource(adapter), getAccount: calls.maybe('getAccount', isAccount) }
  const store = withExactMatches(wrapMethods(adapter, calls), accounts, logger)
  const findAtOnce = adapter.findUserVersion ? calls.maybe('findUserVersion', isUserWithVersion) : null
  const transact = adapter.transact ? calls.one('transact', isFlag) : null
  return {
    ...store,
    findUser: createFindUser(store, findAtOnce),
    transact: transact && createTransact(transact, store)
  }
}

/** The methods for users that adapters of other libraries lack. */
function wrapUserMethods(
  adapter: AuthJsAdapter,
  { done, one }: Invoker<keyof AuthJsAdapter>
): Pick<Store, 'createUserId' | 'checkUserDeletion' | 'findProblems' | 'listUsers'> {
  return {
    createUserId: adapter.createUserId ? one('createUserId', isId) : null,
    checkUserDeletion: adapter.checkUserDeletion ? done('checkUserDeletion') : null,
    findProblems: adapter.findProblems ? one('findProblems', isProblems) : null,
    listUsers: adapter.listUsers ? one('listUsers', isUsers) : null
  }
}

/** The methods that find users. */
type Lookups = Pick<Store, 'getUser' | 'getUserByAccount' | 'getUserByEmail' | 'getAccounts' | 'versions'>

/**
 * Creates the method that finds a user together with their row.
 *
 * @param findAtOnce - The method of the adapter that does it in one query; `null` if it has none.
 */
function createFindUser(
  store: Lookups,
  findAtOnce: ((by: UserVersionQuery) => Promise<UserWithVersion | null>) | null
): Store['findUser'] {
  const { versions } = store
  if (!versions)
    return async (by) => {
      const user = await find(by, store)
      return user && { user, version: noUserVersion(user.id) }
    }
  if (!findAtOnce) return (by) => findInSteps(by, store, versions)
  return async (by) => {
    const found = await findAtOnce(by)
    // Only exact matches are accepted, as by the other methods.
    if (found && !isMatch(by, found))
      throw new StoreError('findUserVersion', 'the adapter returned a user with another key')
    return found && { ...found, version: found.version ?? noUserVersion(found.user.id) }
  }
}

function isMatch(by: UserVersionQuery, { user, account }: UserWithVersion): boolean {
  if ('userId' in by) return user.id === by.userId
  if ('email' in by) return isSameEmailAddress(user.email, by.email)
  const { provider, providerAccountId } = by.account
  return account?.provider === provider && account.providerAccountId === providerAccountId
}

function find(by: UserVersionQuery, store: Lookups): Promise<AdapterUser | null> {
  if ('userId' in by) return store.getUser(by.userId)
  return 'email' in by ? store.getUserByEmail(by.email) : store.getUserByAccount(by.account)
}

/** How often the user of an account or an address may change while they are read. */
const maxReads = 3

/**
 * The row is read first, and what leads to the user again after it: a change between the two raises the version, so that it is
 * noticed.
 */
async function findInSteps(by: UserVersionQuery, store: Lookups, versions: VersionStore): Promise<FoundUser | null> {
  let userId = 'userId' in by ? by.userId : (await find(by, store))?.id
  for (let reads = 0; reads < maxReads; reads += 1) {
    if (userId === undefined) return null
    const version = await versions.get(userId)
    const user = await find(by, store)
    if (user?.id === userId) return { user, version, ...(await findAccount(by, userId, store)) }
    userId = user?.id
  }
  throw new StoreError('getUserVersion', 'the user changed while they were read')
}

async function findAccount(
  by: UserVersionQuery,
  userId: string,
  { getAccounts }: Lookups
): Promise<Pick<FoundUser, 'account'>> {
  if (!('account' in by) || !getAccounts) return {}
  const { provider, providerAccountId } = by.account
  const isAccount = (row: { provider: string; providerAccountId: string }): boolean =>
    row.provider === provider && row.providerAccountId === providerAccountId
  const account = (await getAccounts(userId)).find(isAccount)
  return account ? { account } : {}
}

function wrapMethods(adapter: AuthJsAdapter, calls: Invoker<keyof AuthJsAdapter>): StoreMethods {
  const { any, done, one, maybe } = calls
  const where = <F extends Method>(name: keyof AuthJsAdapter, method: F): F | null => (adapter[name] ? method : null)
  const has = (...names: readonly (keyof Adapter)[]): boolean => names.every((name) => adapter[name])
  const hasRevocations = has(...revocationMethods)
  return {
    createUser: one('createUser', isUser),
    ...wrapUserMethods(adapter, calls),
    getUser: maybe('getUser', isUser),
    getUserByEmail: maybe('getUserByEmail', isUser),
    getUserByAccount: maybe('getUserByAccount', isUser),
    updateUser: one('updateUser', isUser),
    linkAccount: done('linkAccount'),
    createSession: done('createSession'),
    getSessionAndUser: maybe('getSessionAndUser', isSessionAndUser),
    updateSession: done('updateSession'),
    deleteSession: (token) => any('deleteSession')(token),
    createVerificationToken: done('createVerificationToken'),
    useVerificationToken: maybe('useVerificationToken', isToken),
    deleteUser: where('deleteUser', done('deleteUser')),
    unlinkAccount: where('unlinkAccount', done('unlinkAccount')),
    createUserWithAccount: where('createUserWithAccount', one('createUserWithAccount', isUser)),
    updateAccount: where('updateAccount', async (account, expected) => {
      const written = await any('updateAccount')(account, ...(expected ? [expected] : []))
      // An adapter that returns nothing does not confirm the user of the account.
      return expected?.userId === undefined ? written !== false : Boolean(written)
    }),
    getAccounts: where('getAccounts', one('getAccounts', isList)),
    getVerificationToken: where('getVerificationToken', maybe('getVerificationToken', isToken)),
    listSessions: where('listSessions', one('listSessions', isSessions)),
    deleteSessions: where('deleteSessions', done('deleteSessions')),
    withLease: adapter.withLease ? (name, work) => runWithLease(adapter, name, work) : null,
    putSessionRecord: where('putSessionRecord', done('putSessionRecord')),
    getSessionRecords: where('getSessionRecords', one('getSessionRecords', isRecords)),
    deleteSessionRecord: where('deleteSessionRecord', done('deleteSessionRecord')),
    deleteExpired: where('deleteExpired', one('deleteExpired', isNumber)),
    evidence: has('putAccountEvidence', 'getAccountEvidence') ? evidenceStore(calls) : null,
    tickets: has('createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets')
      ? ticketStore(calls, adapter)
      : null,
    factors: has('createFactor', 'getFactor', 'listFactors', 'updateFactor', 'deleteFactor')
      ? factorStore(calls)
      : null,
    versions: has('getUserVersion', 'advanceUser') ? versionStore(calls, adapter) : null,
    events: has('addEvents', 'listEvents', 'deleteEvents') ? eventStore(calls) : null,
    encryptedRows: has('listEncryptedRows', 'replaceEncryptedTexts') ? encryptedRowStore(calls) : null,
    revocations: hasRevocations ? wrapRevocations(calls) : null
  }
}
