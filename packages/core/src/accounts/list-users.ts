import type { AccountKey, AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'
import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import { decryptText, encryptText } from '../tokens/jwe.ts'
import type { KeyRing } from '../tokens/keys.ts'

/** Selects one user: by id, by email address, or by an account at a provider. */
export type UserSelector = { readonly id: string } | { readonly email: string } | { readonly account: AccountKey }

/** A page of users. */
export interface UserPage {
  /** In the order of their ids. */
  readonly users: readonly AdapterUser[]
  /** Pass it to read the next page; `null` on the last page. */
  readonly nextCursor: string | null
}

/** Selects a page of users. */
export interface UserListOptions {
  /** The maximum number of users, from 1 to 100. @defaultValue `25` */
  readonly limit?: number | undefined
  /** `nextCursor` of the previous page. @defaultValue the first page */
  readonly cursor?: string | undefined
}

/** @throws AccountError `ADAPTER_INCOMPLETE` */
function requireStore(store: Store | null): Store {
  if (store) return store
  throw new AccountError('ADAPTER_INCOMPLETE', 'expected an adapter, which stores the users')
}

/**
 * Finds a stored user.
 *
 * @returns `null` if there is none, or if the address is invalid.
 * @throws AccountError `ADAPTER_INCOMPLETE`, AuthError `StoreUnavailable`
 */
export async function findUser(selector: UserSelector, optionalStore: Store | null): Promise<AdapterUser | null> {
  const store = requireStore(optionalStore)
  if ('id' in selector) return store.getUser(selector.id)
  if ('account' in selector) return store.getUserByAccount(selector.account)
  const email = normalizeEmailAddress(selector.email)
  return email === null ? null : store.getUserByEmail(email)
}

/**
 * Lists the stored users, in the order of their ids. The cursor is encrypted, so that it can be part of a link.
 *
 * @throws AccountError `INVALID_CURSOR`, `ADAPTER_INCOMPLETE`; AuthError `StoreUnavailable`
 */
export async function listUsers(
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
  { store, keys }: { readonly store: Store | null; readonly keys: { readonly userCursor: KeyRing } }
): Promise<UserPage> {
  const { listUsers: list } = requireStore(store)
  if (!list) throw new AccountError('ADAPTER_INCOMPLETE', 'expected an adapter with the method listUsers')
  const after = cursor === null ? null : await decryptText(keys.userCursor, cursor)
  if (cursor !== null && after === null)
    throw new AccountError('INVALID_CURSOR', 'users.list: expected the nextCursor of an earlier page')
  // One more than the page has: if it exists, there is a next page.
  const found = await list({ after, limit: limit + 1 })
  const users = found.slice(0, limit)
  const last = found.length > limit ? users.at(-1) : undefined
  return { users, nextCursor: last ? await encryptText(keys.userCursor, last.id) : null }
}
