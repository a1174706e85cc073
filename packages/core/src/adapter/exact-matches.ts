import type { Logger } from '../model/logger.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import { isStorable } from '../model/storable-text.ts'
import type { AccountKey, Adapter, AdapterAccount, AdapterUser } from './adapter.ts'
import { type EventStore, type FactorStore, type Store, StoreError } from './store.ts'

const mark: unique symbol = Symbol.for('postern.exactLookup')

/**
 * Marks a `getUserByAccount` method that compares both members of the key byte for byte, whatever the collation of the
 * database: Postern then skips a second comparison, which costs a query.
 *
 * @returns The method.
 */
export function exactLookup<M extends (...args: never[]) => unknown>(method: M): M {
  return Object.assign(method, { [mark]: true })
}

/** Whether `exactLookup` marked this method. */
function isExactLookup(method: unknown): boolean {
  return typeof method === 'function' && mark in method
}

/** Auth.js adapters may have `getAccount`. */
export type AuthJsAdapter = Adapter & { readonly getAccount?: unknown }

/** The adapter method that reveals by which account a user was found. */
export type AccountSource = 'getUserByAccount' | 'getAccounts' | 'getAccount' | null

/** @returns That method: `getUserByAccount` if it compares exactly, or `null` if there is none. */
export function getAccountSource({ getUserByAccount, getAccounts, getAccount }: AuthJsAdapter): AccountSource {
  if (isExactLookup(getUserByAccount)) return 'getUserByAccount'
  if (getAccounts) return 'getAccounts'
  return typeof getAccount === 'function' ? 'getAccount' : null
}

/** The methods of a store that call one method of the adapter. */
export type StoreMethods = Omit<Store, 'findUser' | 'transact'>

/** What stored accounts are compared with. */
export interface AccountReader {
  readonly source: AccountSource
  readonly getAccount: (providerAccountId: string, provider: string) => Promise<AdapterAccount | null>
}

/**
 * Whether most collations treat the id as equal to another one: outer spaces, invisible or compatibility characters.
 */
function isAmbiguous(id: string): boolean {
  return id !== id.normalize('NFKC').trim() || /\p{C}/u.test(id)
}

/** Whether this row is the account, and linked to the user; a database may return ids as numbers. */
function isAccountOf(user: AdapterUser, key: AccountKey, row: Partial<AdapterAccount>): boolean {
  const { provider, providerAccountId, userId } = row
  return provider === key.provider && String(providerAccountId) === key.providerAccountId && userId === user.id
}

/** The stored accounts by which the user may have been found. @throws StoreError */
async function candidates(
  user: AdapterUser,
  { provider, providerAccountId }: AccountKey,
  { getAccounts }: Pick<Store, 'getAccounts'>,
  { getAccount }: AccountReader
): Promise<readonly AdapterAccount[]> {
  if (getAccounts) return getAccounts(user.id)
  const account = await getAccount(providerAccountId, provider)
  return account ? [account] : []
}

/**
 * Accepts exact matches only: databases often ignore case, accents or trailing spaces, so that `ADMIN ` would find
 * `admin`.
 */
export function withExactMatches(store: StoreMethods, accounts: AccountReader, logger: Logger): StoreMethods {
  const inexact = (method: keyof Adapter): null => {
    const message = 'the adapter returned a row with another key; give its key columns a binary collation'
    logger.warn('ADAPTER_INEXACT_MATCH', { method, message })
    return null
  }
  const getUser: Store['getUser'] = async (id) => {
    const user = await store.getUser(id)
    return user && user.id !== id ? inexact('getUser') : user
  }
  const { deleteUser, factors, events } = store
  return {
    ...store,
    factors: factors && withExactFactors(factors, inexact),
    events: events && withExactEvents(events, inexact),
    getUser,
    getUserByEmail: async (email) => {
      const user = await store.getUserByEmail(email)
      return user && !isSameEmailAddress(user.email, email) ? inexact('getUserByEmail') : user
    },
    getUserByAccount: async (key) => {
      if (accounts.source === null && isStorable(key.providerAccountId) && isAmbiguous(key.providerAccountId))
        throw new StoreError('getUserByAccount', 'the adapter cannot distinguish this account id from others')
      const user = await store.getUserByAccount(key)
      if (!user || accounts.source === 'getUserByAccount' || accounts.source === null) return user
      const rows = await candidates(user, key, store, accounts)
      return rows.some((row) => isAccountOf(user, key, row)) ? user : inexact('getUserByAccount')
    },
    deleteUser:
      deleteUser && accounts.source !== 'getUserByAccount'
        ? async (id) => {
            if (isStorable(id) && !(await getUser(id)))
              throw new StoreError('deleteUser', 'the adapter has no user with exactly this id')
            await deleteUser(id)
          }
        : deleteUser
  }
}

type Inexact = (method: keyof Adapter) => null

function withExactFactors(factors: FactorStore, inexact: Inexact): FactorStore {
  const list: FactorStore['list'] = async (userId, type) => {
    const found = await factors.list(userId, type)
    const exact = found.filter((factor) => factor.userId === userId && (type === undefined || factor.type === type))
    if (exact.length < found.length) inexact('listFactors')
    return exact
  }
  return {
    ...factors,
    get: async (key) => {
      const factor = await factors.get(key)
      const isExact = factor?.type === key.type && factor.id === key.id
      return factor && !isExact ? inexact('getFactor') : factor
    },
    list,
    listKeys: async (userId) => (await list(userId)).map(({ type, id }) => ({ type, id }))
  }
}

function withExactEvents(events: EventStore, inexact: Inexact): EventStore {
  return {
    ...events,
    list: async (query) => {
      const { userId, type } = query
      const found = await events.list(query)
      const exact = found.filter(
        (event) => (userId === undefined || event.userId === userId) && (type === undefined || event.type === type)
      )
      if (exact.length < found.length) inexact('listEvents')
      return exact
    }
  }
}
