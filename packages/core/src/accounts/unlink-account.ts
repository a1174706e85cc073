import {
  type ApprovalState,
  approveAccount,
  forgetApproval,
  forgetClaims,
  readApproval
} from '../adapter/account-approval.ts'
import type { AccountKey, Adapter, AdapterAccount } from '../adapter/adapter.ts'
import { toAccountRow } from '../adapter/call-arguments.ts'
import { markClaim } from '../adapter/claim-marker.ts'
import type { Store } from '../adapter/store.ts'
import { suspensionKey } from '../adapter/suspension-marker.ts'
import { hasUnsettledLink } from '../adapter/unsettled-link.ts'
import { changeWithEvent, type EventDeps } from '../hooks/security-event.ts'
import type { FeatureHooks } from '../model/feature-hooks.ts'
import type { Provider } from '../model/provider.ts'
import type { RequestInfo } from '../model/request-info.ts'
import { weakMemoize } from '../model/weak-memoize.ts'
import { AccountError } from './account-error.ts'
import { removeFirstSignIns } from './first-sign-in-progress.ts'
import type { SessionManager } from './session-manager.ts'

/** The dependencies of removing accounts and users. */
export interface RemovalDeps extends EventDeps {
  readonly store: Store | null
  readonly sessionManager: SessionManager
  readonly providers: ReadonlyMap<string, Provider>
  readonly isDatabaseSession: boolean
  readonly now: () => number
  /** The request of the user who removes it; `null` if the application does. */
  readonly request: RequestInfo | null
  readonly features: Pick<FeatureHooks, 'waysIn' | 'deleteUser' | 'exportData'>
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

function needed<T>(method: T | null | undefined, name: keyof Adapter): T {
  if (!method) throw new AccountError('ADAPTER_INCOMPLETE', `expected an adapter with the method ${name}`)
  return method
}

/** What ways to sign in are counted with. */
type WaysInDeps = Pick<RemovalDeps, 'features' | 'isDatabaseSession' | 'now' | 'providers' | 'store'>

/** Counts the accounts whose link is settled: the others do not allow a sign-in. */
async function countSettled(
  userId: string,
  accounts: readonly AdapterAccount[],
  { store, now }: Pick<WaysInDeps, 'now' | 'store'>
): Promise<number> {
  const { tickets } = store ?? {}
  if (!tickets) return accounts.length
  const about = { tickets, now: now() }
  const areUnsettled = await Promise.all(accounts.map((account) => hasUnsettledLink(account, userId, about)))
  return areUnsettled.filter((isUnsettled) => !isUnsettled).length
}

/** Counts how the user can sign in: with these accounts, through features, or with the mailbox of a verified address. */
async function countWaysIn(
  userId: string,
  accounts: readonly AdapterAccount[],
  { store, providers, isDatabaseSession, features, now }: WaysInDeps
): Promise<number> {
  // An account of a provider that is no longer configured does not allow a sign-in. Nor does one of a form with JWT sessions,
  // which have the user that the application names.
  const allowsSignIn = ({ provider }: AdapterAccount): boolean => {
    const policy = providers.get(provider)?.traits.accountPolicy
    return policy !== undefined && (policy !== 'application' || isDatabaseSession)
  }
  const settled = await countSettled(userId, accounts.filter(allowsSignIn), { store, now })
  const count = settled + (await features.waysIn(userId))
  if (![...providers.values()].some(({ traits }) => traits.admitsMailboxOwner)) return count
  const user = await store?.getUser(userId)
  return user?.email && user.emailVerified ? count + 1 : count
}

/**
 * Removes an account from a user, unless it is the user's last one, and ends the sessions that were created through it.
 *
 * @returns The removed account, with its tokens.
 * @throws AccountError `UNKNOWN_ACCOUNT`, `LAST_WAY_IN`, `ADAPTER_INCOMPLETE`
 */
export async function unlink(
  userId: string,
  key: AccountKey,
  options: RemovalOptions,
  deps: RemovalDeps
): Promise<AdapterAccount> {
  return serialize(userId, deps, () => removeAccount(userId, key, options, deps))
}

/** Runs the removals for one user one after another: two must not each count on what the other removes. */
function serialize<T>(userId: string, deps: Pick<RemovalDeps, 'store'>, work: () => Promise<T>): Promise<T> {
  return deps.store?.withLease ? deps.store.withLease(`unlink ${userId}`, work) : inTurn(userId, deps, work)
}

/**
 * Removes something of a feature that the user signs in with, unless it is the last way in.
 *
 * @returns Whether it was removed.
 */
export function removeWayIn(userId: string, { remove, restore }: WayInRemoval, deps: WaysInDeps): Promise<boolean> {
  const count = async (): Promise<number> => countWaysIn(userId, (await deps.store?.getAccounts?.(userId)) ?? [], deps)
  return serialize(userId, deps, async () => {
    if ((await count()) < 2) return false
    await remove()
    // Without a lease, or after one that expired, another process may have removed the other way in at the same time.
    if ((await count()) > 0) return true
    await restore()
    return false
  })
}

/** The removal of something that `waysIn` of a feature counts. */
export interface WayInRemoval {
  remove(): unknown
  /** Undoes the removal of the last way in. */
  restore(): unknown
}

/** The last call of each user in this process, for stores without leases. */
const turns = weakMemoize((_store: Store) => new Map<string, Promise<unknown>>())

/** Runs the calls for one user of a store one after another, in this process. */
async function inTurn<T>(userId: string, { store }: Pick<RemovalDeps, 'store'>, work: () => Promise<T>): Promise<T> {
  if (!store) return work()
  const queue = turns(store)
  const turn = (queue.get(userId) ?? Promise.resolve()).then(work)
  const end = turn.catch(() => null)
  queue.set(userId, end)
  try {
    return await turn
  } finally {
    if (queue.get(userId) === end) queue.delete(userId)
  }
}

const lastWayIn = (): AccountError =>
  new AccountError(
    'LAST_WAY_IN',
    'expected another account or a verified email address: the user could not sign in without this account'
  )

async function removeAccount(
  userId: string,
  key: AccountKey,
  { sessions = 'end' }: RemovalOptions,
  deps: RemovalDeps
): Promise<AdapterAccount> {
  const { store, sessionManager, request } = deps
  const { provider, providerAccountId } = key
  const before = store?.tickets ? await readApproval({ account: key, userId }, store.tickets) : null
  const accounts = await needed(store?.getAccounts, 'getAccounts')(userId)
  needed(store?.unlinkAccount, 'unlinkAccount')
  if (sessions === 'end') sessionManager.require('endAll')
  const isThis = (other: AccountKey): boolean =>
    other.provider === provider && other.providerAccountId === providerAccountId
  const found = accounts.find(isThis)
  if (!found) throw new AccountError('UNKNOWN_ACCOUNT', 'the user does not have this account')
  const others = accounts.filter((other) => !isThis(other))
  if ((await countWaysIn(userId, others, deps)) === 0) throw lastWayIn()
  const endSessions = async (): Promise<void> => {
    if (sessions === 'end') await sessionManager.endByProvider({ provider, userId, sessionId: null })
  }
  // Sessions end before, so that a failure leaves none of a removed account; and after, for concurrent sign-ins.
  await endSessions()
  const account = { provider, providerAccountId }
  const event = { type: 'unlink', userId, account, request } as const
  await changeWithEvent(event, async (writing) => writing?.unlinkAccount?.(account), true, {
    ...deps,
    store
  })
  // Other stores create a user with the account at once.
  if (store && !store.createUserWithAccount) await removeFirstSignIns(account, userId, store)
  await endSessions()
  await requireWayIn(userId, found, before, deps)
  return found
}

/**
 * Checks again after the removal, and restores the account if it was the last one: without a lease, or after a lease that
 * expired, another process may have removed the other account at the same time. A claim since then has removed them all, and verifies
 * the address next.
 *
 * @param before - The approval of the account before the removal; `null` if the adapter stores none.
 * @throws AccountError `LAST_WAY_IN`
 */
async function requireWayIn(
  userId: string,
  removed: AdapterAccount,
  before: ApprovalState | null,
  deps: RemovalDeps
): Promise<void> {
  const { store, now } = deps
  const left = await needed(store?.getAccounts, 'getAccounts')(userId)
  if ((await countWaysIn(userId, left, deps)) > 0) return
  await store?.linkAccount(toAccountRow(removed))
  const tickets = store?.tickets
  if (!tickets || !before) throw lastWayIn()
  if (!before.isMissing) await approveAccount(removed, { userId, epoch: before.epoch }, { tickets, now: now() })
  if (!(await readApproval({ account: removed, userId }, tickets)).isMissing) throw lastWayIn()
  const { provider, providerAccountId } = removed
  await store.unlinkAccount?.({ provider, providerAccountId })
}

/** The record of a deletion has no address and no browser: those of the user's other records leave the log. */
function withoutClient(request: RequestInfo | null): RequestInfo | null {
  if (!request) return null
  const { 'user-agent': _, ...headers } = request.headers
  return { ...request, client: null, headers }
}

/**
 * Deletes a user with all rows that belong to them, and ends their sessions.
 *
 * @throws AccountError `ADAPTER_INCOMPLETE`
 */
export async function deleteUser(
  userId: string,
  { sessions = 'end' }: RemovalOptions,
  deps: RemovalDeps
): Promise<void> {
  const { store, sessionManager, features, now, request } = deps
  const remove = needed(store?.deleteUser, 'deleteUser')
  const isEnding = sessions === 'end'
  // Nothing of the user ends if the store refuses the deletion.
  await store?.checkUserDeletion?.(userId)
  await features.deleteUser(userId)
  // A sign-in may have checked the password already: it must not outlive the user.
  if (isEnding && store?.tickets) await markClaim(userId, store.tickets, now())
  if (isEnding) await sessionManager.endAll(userId)
  const accounts = store?.tickets ? await store.getAccounts?.(userId) : []
  await changeWithEvent(
    { type: 'delete', userId, request: withoutClient(request) },
    () => remove(userId),
    false,
    deps
  ).catch(async (error: unknown) => {
    // The reply may be lost: a store that gives ids again would refuse the next user with this one.
    const isDeleted = store?.tickets && (await store.getUser(userId).catch(() => undefined)) === null
    if (isDeleted) await forgetClaims(userId, store.tickets).catch(() => undefined)
    throw error
  })
  // A sign-in may have created another session in the meantime.
  if (isEnding) await sessionManager.endAll(userId)
  await store?.tickets?.consume(suspensionKey(userId))
  if (!store?.tickets) return
  await forgetClaims(userId, store.tickets)
  for (const account of accounts ?? []) await forgetApproval(account, userId, store.tickets)
}
