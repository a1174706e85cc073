import type { Logger } from '../model/logger.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { Adapter, AdapterUser, UserVersionQuery, UserWithVersion } from './adapter.ts'
import { prepareCall } from './call-arguments.ts'
import { type AuthJsAdapter, getAccountSource, type StoreMethods, withExactMatches } from './exact-matches.ts'
import { createInvoker, type Invoker, type StoreSettings } from './invoke.ts'
import { type RevocationStore, revocationMethods } from './revocation.ts'
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
import { noUserVersion } from './user-version.ts'
import {
  isAccount,
  isEncryptedRows,
  isEvents,
  isEvidenceList,
  isFactor,
  isFactors,
  isFlag,
  isId,
  isList,
  isNumber,
  isProblems,
  isRecords,
  isRevocations,
  isSessionAndUser,
  isSessions,
  isTicket,
  isTickets,
  isToken,
  isUser,
  isUsers,
  isUserVersion,
  isUserWithVersion
} from './validators.ts'

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
