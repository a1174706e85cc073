import type { AccountKey, Adapter, AdapterAccount } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { SessionManager } from '../sessions/session-manager.ts'
import type { ActingSession } from '../sessions/strategy.ts'
import { isSameAccount } from './account-evidence.ts'
import type { AccountRules } from './account-rules.ts'

/** Who asks for the removal of an account or a user. */
export interface RemovalActor {
  /** The request of the user; `null` if the application asks. */
  readonly request: RequestInfo | null
  /** The session of the user, which is required, and gets a new token; `null` if the application asks. */
  readonly acting: ActingSession | null
}

/** Options of `unlink` and `deleteUser`. */
export interface RemovalOptions {
  /**
   * `keep` leaves the sessions: an application whose adapter cannot end them must choose this explicitly.
   *
   * @defaultValue `'end'`
   */
  readonly sessions?: 'end' | 'keep' | undefined
}

/** An account that was removed. */
export interface RemovedAccount {
  /** The account with its tokens. */
  readonly account: AdapterAccount
  /** The cookies of the acting session. */
  readonly cookies: SetCookies
  /** The version of the user after it. */
  readonly version: number
}

function needed<T>(method: T | null | undefined, name: keyof Adapter): T {
  if (!method) throw new AccountError('ADAPTER_INCOMPLETE', `expected an adapter with the method ${name}`)
  return method
}

/**
 * Counts how the user can sign in: with an account, through features, or with the mailbox of a verified address.
 *
 * @param removed - The account that does not count, because it is about to be removed; `null` for none.
 */
export async function countWaysIn(
  userId: string,
  removed: AccountKey | null,
  store: Store | null,
  { providers, isDatabaseSession, features }: AccountRules
): Promise<number> {
  const all = (await store?.getAccounts?.(userId)) ?? []
  const accounts = all.filter((account) => !removed || !isSameAccount(account, removed))
  // An account of a provider that is no longer configured does not allow a sign-in. Nor does one of a form with JWT sessions,
  // which have the user that the application names.
  const allowsSignIn = ({ provider }: AdapterAccount): boolean => {
    const policy = providers.get(provider)?.traits.accountPolicy
    return policy !== undefined && (policy !== 'application' || isDatabaseSession)
  }
  const count = accounts.filter(allowsSignIn).length + (await features.waysIn(userId, removed))
  if (![...providers.values()].some(({ traits }) => traits.admitsMailboxOwner)) return count
  const user = await store?.getUser(userId)
  return user?.email && user.emailVerified ? count + 1 : count
}

/**
 * Removes an account from a user, unless it is the user's last way in, and ends all sessions of the user except the acting one.
 *
 * @throws AccountError `UNKNOWN_ACCOUNT`, `LAST_WAY_IN`, `ADAPTER_INCOMPLETE`
 */
export async function unlink(
  { userId, provider, providerAccountId }: AccountKey & { readonly userId: string },
  { sessions = 'end', request, acting }: RemovalOptions & RemovalActor,
  sessionManager: SessionManager,
  rules: AccountRules
): Promise<RemovedAccount> {
  const { store, userVersions } = sessionManager
  const getAccounts = needed(store?.getAccounts, 'getAccounts')
  needed(store?.unlinkAccount, 'unlinkAccount')
  const raises = sessions === 'end'
  if (raises) sessionManager.require('endAll')
  const key = { provider, providerAccountId }
  const { result: account, ...changed } = await userVersions.decide({ userId, acting }, async () => {
    const found = (await getAccounts(userId)).find((account) => isSameAccount(account, key))
    if (!found) throw new AccountError('UNKNOWN_ACCOUNT', 'the user does not have this account')
    if ((await countWaysIn(userId, key, store, rules)) === 0) throw lastWayIn()
    const write = async (writing: Store): Promise<AdapterAccount> => {
      await writing.unlinkAccount?.(key)
      return found
    }
    const ended = raises ? { userId, sessionId: null } : null
    return { raises, events: [{ type: 'unlink', userId, account: key, request }], ended, write }
  })
  return { account, ...changed }
}

const lastWayIn = (): AccountError =>
  new AccountError(
    'LAST_WAY_IN',
    'expected another account or a verified email address: the user could not sign in without this account'
  )

/** The record of a deletion has no address and no browser: those of the user's other records leave the log. */
function withoutClient(request: RequestInfo | null): RequestInfo | null {
  if (!request) return null
  const { 'user-agent': _, ...headers } = request.headers
  return { ...request, client: null, headers }
}

/** Without transactions, users and their factors may be in two databases. Until the user is deleted, their factors are in force. */
async function deleteInSteps(userId: string, { deleteUser, factors }: Store): Promise<void> {
  await deleteUser?.(userId)
  for (const key of (await factors?.listKeys(userId)) ?? []) await factors?.delete(key)
}

/**
 * Deletes a user with all rows that belong to them, and ends their sessions. Only the session of the user who asks for it can
 * prevent it.
 *
 * @throws AccountError `ADAPTER_INCOMPLETE`
 * @throws AuthError `SessionRequired` if the acting session has ended.
 */
export async function deleteUser(
  userId: string,
  { sessions = 'end', request, acting }: RemovalOptions & RemovalActor,
  sessionManager: SessionManager,
  { features }: AccountRules
): Promise<void> {
  const { store, userVersions } = sessionManager
  needed(store?.deleteUser, 'deleteUser')
  const raises = sessions === 'end'
  if (raises) sessionManager.require('endAll')
  // Nothing of the user ends if the store refuses the deletion.
  await store?.checkUserDeletion?.(userId)
  const ended = raises ? { userId, sessionId: null } : null
  // From now on, what has begun before is refused. Its tickets are deleted with the user: a process that is killed before leaves them,
  // and a deletion that was scheduled is repeated.
  await userVersions.change({ userId, acting, isForced: acting === null, raises, ended }, async () => undefined)
  await features.deleteUser(userId)
  const isAtOnce = userVersions.begin !== null
  // A suspension is in force until the user is gone.
  if (store && !isAtOnce) await deleteInSteps(userId, store)
  const events = [{ type: 'delete', userId, request: withoutClient(request) }] as const
  // A sign-in that has begun since may have created a session that no row of the user is needed for. A later user may have the id.
  const change = { userId, isForced: true, raises, suspendedAt: null, isGone: true, events } as const
  await userVersions.change(change, async (writing) => {
    if (isAtOnce) await writing.deleteUser?.(userId)
  })
}
