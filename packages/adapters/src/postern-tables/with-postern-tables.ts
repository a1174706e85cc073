import type { AccountKey, Adapter, AdapterSession, AdapterUser, ForeignAdapter, SessionRecord } from '@postern/core'
import { isObject } from '../is-object.ts'
import { posternMethods } from './postern-methods.ts'
import { requireAdapter } from './require-adapter.ts'
import { type SharedMethods, type SharedTables, sharedMethods, shareTables } from './shared-tables.ts'

/** The methods that write or delete rows in tables of both. */
type SharedMethod = 'createSession' | 'deleteSession' | 'unlinkAccount' | 'deleteUser' | 'deleteExpired'

/** The methods that list and replace rows of tables of both. */
type EncryptedRowMethod = 'listEncryptedRows' | 'replaceEncryptedTexts'

/** The methods that read the table of users, whose name `posternTables` has. */
type UserTableMethod = 'checkUserDeletion' | 'findProblems'

/** What an adapter of another library must have. */
const foreignMethods = [
  'createUser',
  'getUser',
  'getUserByAccount',
  'deleteUser',
  'unlinkAccount',
  'createSession',
  'deleteSession'
] as const

/** The methods of the adapter that keeps the `postern_…` tables; every SQL adapter of `@postern/adapters` has them. */
export type PosternTables = Required<
  Pick<Adapter, (typeof posternMethods)[number] | Exclude<SharedMethod, 'createSession'> | 'deleteSessions'>
> &
  Pick<Adapter, EncryptedRowMethod | UserTableMethod | 'getUserByEmail' | 'close'>

/** The same, if its names of the tables of accounts and sessions are those of the other adapter. */
export type SharedPosternTables = PosternTables & SharedMethods

/** The options of `withPosternTables`. */
export interface PosternTablesOptions {
  /**
   * Whether `posternTables` has the names of the tables of accounts and sessions of `adapter`. It then lists and ends sessions, lists
   * accounts and updates their tokens, which adapters of other libraries cannot. The first account and the first session that are
   * written in a process are looked up, which fails if a name is wrong. @defaultValue `false`
   */
  readonly sharedTables?: boolean | undefined
}

/** The methods that do not come from the adapter of the other library alone. */
export type CombinedMethods = Required<Pick<Adapter, (typeof posternMethods)[number] | SharedMethod | 'close'>> &
  Pick<Adapter, EncryptedRowMethod | UserTableMethod | 'getUserByEmail'>

/**
 * Combines an adapter of another library with one of `@postern/adapters`, which keeps the `postern_…` tables in the same
 * database.
 *
 * Session records, revocations, evidence of accounts, tickets, factors, events, leases and the versions of users come from `posternTables`,
 * everything else from `adapter`. Pass the names of the tables of `adapter` to `posternTables`, so that it does not create
 * its own. A session, an account or a user is deleted in `adapter` first, and then in `posternTables`.
 *
 * The two share no transaction, so the combination has no `transact`, nor what reads or requires a user and their row at once. Its `close` closes both.
 *
 * @throws TypeError if one of the two is not an adapter, or lacks a method.
 */
export function withPosternTables<A extends ForeignAdapter>(
  adapter: A,
  posternTables: SharedPosternTables,
  options: PosternTablesOptions & { readonly sharedTables: true }
): Omit<A, OneStoreMethod> & CombinedMethods & SharedMethods
export function withPosternTables<A extends ForeignAdapter>(
  adapter: A,
  posternTables: PosternTables,
  options?: PosternTablesOptions & { readonly sharedTables?: false | undefined }
): Omit<A, OneStoreMethod> & CombinedMethods
export function withPosternTables<A extends ForeignAdapter>(
  adapter: A,
  posternTables: PosternTables & Partial<SharedMethods>,
  { sharedTables = false }: PosternTablesOptions = {}
): Omit<A, OneStoreMethod> & CombinedMethods {
  requireAdapter(adapter, 'adapter', foreignMethods)
  requireAdapter(posternTables, 'posternTables', [
    ...posternMethods,
    'deleteSession',
    'unlinkAccount',
    'deleteUser',
    'deleteExpired',
    ...(sharedTables ? sharedMethods : [])
  ])
  const call = async (name: keyof Adapter, ...args: readonly unknown[]): Promise<unknown> => {
    const method: unknown = adapter[name]
    return typeof method === 'function' ? Reflect.apply(method, adapter, args) : null
  }
  const shared = sharedTables && hasShared(posternTables) ? shareTables(adapter, call, posternTables) : null
  return {
    ...bindMethods(adapter),
    ...pick(posternTables, posternMethods),
    ...deletions(call, posternTables),
    ...encryptedRows(adapter, call, posternTables),
    ...userTable(adapter, call, posternTables),
    ...(adapter.deleteSessions ? { deleteSessions: deleteSessions(call, posternTables) } : {}),
    ...shared?.methods,
    createSession: createSession(call, posternTables, shared),
    close: async () => {
      try {
        await call('close')
      } finally {
        await posternTables.close?.()
      }
    }
  }
}

const hasShared = (tables: PosternTables & Partial<SharedMethods>): tables is SharedPosternTables =>
  sharedMethods.every((name) => tables[name])

/** Calls a method of the adapter of the other library; `null` if it does not have it. */
type Call = (name: keyof Adapter, ...args: readonly unknown[]) => Promise<unknown>

function createSession(
  call: Call,
  posternTables: PosternTables,
  shared: SharedTables | null
): CombinedMethods['createSession'] {
  return async (session: AdapterSession, record?: SessionRecord) => {
    await call('createSession', session)
    try {
      await shared?.checkSession(session)
      if (record) await posternTables.putSessionRecord(record)
      return session
    } catch (error) {
      // A session without a record could not be ended from another device.
      await call('deleteSession', session.sessionToken).catch(() => undefined)
      throw error
    }
  }
}

function deleteSessions(call: Call, posternTables: PosternTables): Required<Adapter>['deleteSessions'] {
  return async (...args) => {
    const deleted = await call('deleteSessions', ...args)
    const [userId, ...except] = args
    await posternTables.deleteSessions(String(userId), ...except)
    return deleted
  }
}

/** Uses what `posternTables` can do with the table of users, and the other adapter cannot. */
function userTable(
  adapter: ForeignAdapter,
  call: Call,
  { checkUserDeletion, findProblems, getUserByEmail }: PosternTables
): Pick<Adapter, UserTableMethod | 'getUserByEmail'> {
  return {
    ...(adapter.checkUserDeletion || !checkUserDeletion
      ? {}
      : { checkUserDeletion: (id: string) => checkUserDeletion(String(id)) }),
    // Problems of columns concern statements that the other adapter makes.
    ...(adapter.findProblems || !findProblems
      ? {}
      : { findProblems: async () => (await findProblems()).filter(({ code }) => code === 'ADDRESS_NOT_LOWER_CASE') }),
    ...(adapter.getUserByEmail && getUserByEmail ? { getUserByEmail: findByEmail(call, getUserByEmail) } : {})
  }
}

/** An adapter of another library finds an address with capital letters by exactly this spelling. */
function findByEmail(
  call: Call,
  find: NonNullable<Adapter['getUserByEmail']>
): (email: string) => Promise<AdapterUser | null> {
  const get = async (email: string): Promise<AdapterUser | null> => {
    const user = await call('getUserByEmail', email)
    return isUser(user) ? user : null
  }
  return async (email) => {
    const user = await get(email)
    const stored = user ? null : (await find(email))?.email
    return stored ? get(stored) : user
  }
}

/** The values are validated by registration. */
const isUser = (value: unknown): value is AdapterUser => isObject(value) && 'email' in value

/** An adapter that lists no accounts shares their table with `posternTables`. */
function encryptedRows(
  adapter: ForeignAdapter,
  call: Call,
  { listEncryptedRows: list, replaceEncryptedTexts: replace }: PosternTables
): Pick<Adapter, EncryptedRowMethod> {
  if (!list || !replace) return {}
  const listsAccounts = Boolean(adapter.listEncryptedRows && adapter.replaceEncryptedTexts)
  return {
    listEncryptedRows: async (query) => {
      if (query.table !== 'account' || !listsAccounts) return list(query)
      const rows = await call('listEncryptedRows', query)
      if (Array.isArray(rows)) return rows
      throw new TypeError('listEncryptedRows: expected a list of rows')
    },
    replaceEncryptedTexts: async (table, row, texts) =>
      table === 'account' && listsAccounts
        ? Boolean(await call('replaceEncryptedTexts', table, row, texts))
        : replace(table, row, texts)
  }
}

/** The ids of users may be numbers in the other library; they are text in the tables of `posternTables`. */
function deletions(
  call: Call,
  posternTables: PosternTables
): Pick<CombinedMethods, Exclude<SharedMethod, 'createSession'>> {
  const deleteInBoth =
    <Key>(name: 'deleteSession' | 'unlinkAccount', remove: (key: Key) => unknown) =>
    async (key: Key): Promise<unknown> => {
      const deleted = await call(name, key)
      await remove(key)
      return deleted
    }
  return {
    deleteSession: deleteInBoth('deleteSession', (key: string) => posternTables.deleteSession(key)),
    unlinkAccount: deleteInBoth('unlinkAccount', (key: AccountKey) => posternTables.unlinkAccount(key)),
    // The user first: until then their factors are in force. A second attempt deletes what the first has left.
    deleteUser: async (id) => {
      const deleted = (await call('getUser', id)) ? await call('deleteUser', id) : null
      await posternTables.deleteUser(String(id))
      return deleted
    },
    deleteExpired: async (before, limit) =>
      Number((await call('deleteExpired', before, limit)) ?? 0) + (await posternTables.deleteExpired(before, limit))
  }
}

/** The methods that need a transaction, or users and their rows in one store. */
const inOneStore = ['transact', 'findUserVersion', 'requireUserVersion', 'requireAddress'] as const

/** The methods that the combination does not have. */
export type OneStoreMethod = (typeof inOneStore)[number]

/** The methods of an adapter, which may be an instance of a class, without those that need one store. */
function bindMethods<A extends object>(adapter: A): Omit<A, OneStoreMethod> {
  const bound: Omit<A, OneStoreMethod> = Object.create(Object.prototype)
  const isLeftOut = (name: string | symbol): boolean => inOneStore.some((one) => one === name)
  for (let level: object | null = adapter; level && level !== Object.prototype; level = Reflect.getPrototypeOf(level)) {
    for (const name of Reflect.ownKeys(level)) {
      if (name === 'constructor' || isLeftOut(name) || Object.hasOwn(bound, name)) continue
      const method: unknown = Reflect.get(adapter, name)
      // `exactLookup` marks a method with a property.
      if (typeof method === 'function') Reflect.set(bound, name, Object.assign(method.bind(adapter), method))
    }
  }
  return bound
}

function pick<T, K extends keyof T>(source: T, names: readonly K[]): Pick<T, K> {
  const picked: Pick<T, K> = Object.create(Object.prototype)
  for (const name of names) picked[name] = source[name]
  return picked
}
