import { readApproval } from '../adapter/account-approval.ts'
import type { AccountKey, AdapterUser, NewUser } from '../adapter/adapter.ts'
import { wasClaimedSince } from '../adapter/claim-marker.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import { findAbandonedLinks, settleOtherLink } from '../adapter/unsettled-link.ts'
import type { Identity } from '../model/identity.ts'
import {
  forgetStart,
  isForgotten,
  markCreated,
  markStart,
  removeCreated,
  removeFirstSignIns,
  removeStart,
  type StartMarker,
  stopStart
} from './first-sign-in-progress.ts'
import { type LinkDeps, writeFirstLink } from './write-link.ts'

/** A user who was created by a first sign-in. */
export interface CreatedUser {
  readonly user: AdapterUser
  /** `false` if the same sign-in in another tab has linked the account. */
  readonly isLinked: boolean
}

/** The user was created, but the store failed to link the account. */
export class LinkError extends Error {
  override readonly name: string = 'LinkError'
  readonly reason: StoreError
  /** Whether the user was deleted again. */
  readonly isUserDeleted: boolean

  constructor(reason: StoreError, isUserDeleted: boolean) {
    super('the account of a new user was not linked', { cause: reason })
    this.reason = reason
    this.isUserDeleted = isUserDeleted
  }
}

/**
 * Creates a user and then links the account, for a store that cannot do both in one transaction.
 *
 * A marker is written first, so that an interrupted sign-in can continue, but only with the same provider account. A
 * user without accounts is never joined for that reason alone: the application may have created it.
 *
 * @throws AuthError `OAuthAccountNotLinked`; StoreError if the user was not created, LinkError if the account was not linked.
 */
export async function createUserThenAccount(
  row: NewUser,
  identity: Identity,
  { store, now }: LinkDeps
): Promise<CreatedUser> {
  const { account } = identity
  const { tickets } = store
  const since = now()
  const start = tickets && (await markStart(account, row.email, { tickets, now: since }))
  const user = await store.createUser(row).catch(async (error: unknown) => {
    const isRefused = error instanceof StoreError && !error.isOutage
    // After an outage, the user may exist.
    const end = isRefused ? forgetStart : stopStart
    if (tickets && start) await end(start, tickets).catch(() => undefined)
    throw error
  })
  try {
    await markCreated(account, user.id, { store, now: since })
    const link = await writeFirstLink(user, identity, () => isForgotten(account, user.id, store), { store, now })
    await removeStart(start, store).catch(() => undefined)
    if (link === 'written') await removeCreated(account, user.id, store).catch(() => undefined)
    return { user, isLinked: link !== 'not-written' }
  } catch (error) {
    // A user without an account would block the email address of its owner, unless the owner has claimed the user. If the link may take
    // effect late, the markers let the same account continue.
    const isUnknown = error instanceof StoreError && error.isOutage && error.method === 'linkAccount'
    const isDeletable = !isUnknown && (await isUnused(user, { account, since }, store).catch(() => false))
    const isDeleted = isDeletable && (await removeUser(user, { start, account }, store))
    if (tickets && start) await stopStart(start, tickets).catch(() => undefined)
    throw error instanceof StoreError ? new LinkError(error, isDeleted) : error
  }
}

/**
 * Returns whether the new user is unused: neither the owner of the email address nor the same sign-in in another tab
 * has used it.
 */
async function isUnused(
  { id }: AdapterUser,
  { account, since }: { readonly account: AccountKey; readonly since: number },
  { tickets, getUser, getAccounts }: Store
): Promise<boolean> {
  // A claim that has started has not recorded its time yet.
  if (tickets && (await readApproval({ account, userId: id }, tickets)).isMissing) return false
  if (tickets && (await wasClaimedSince(id, since, tickets))) return false
  const accounts = getAccounts ? await getAccounts(id) : []
  return accounts.length === 0 && !(await getUser(id))?.emailVerified
}

/**
 * Deletes a user whose account could not be linked. If that fails, the markers let the same account continue.
 *
 * @returns Whether the user was deleted.
 */
async function removeUser(
  { id }: AdapterUser,
  { start, account }: { readonly start: StartMarker | null; readonly account: AccountKey },
  store: Store
): Promise<boolean> {
  if (!store.deleteUser) return false
  try {
    await store.deleteUser(id)
    await removeCreated(account, id, store)
    await removeStart(start, store)
    return true
  } catch {
    // The first error is the one to report.
    return false
  }
}

/**
 * Links the account to the user that an interrupted first sign-in with it has created.
 *
 * @returns `false` if another request of the same user has just linked the account.
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function continueFirstSignIn(user: AdapterUser, identity: Identity, deps: LinkDeps): Promise<boolean> {
  const { account } = identity
  const { store, now } = deps
  const linked = { account, userId: user.id }
  const abandoned = await findAbandonedLinks(account, user.id, { store, now: now() })
  const link = await writeFirstLink(user, identity, () => isForgotten(account, user.id, store), deps)
  // Only the request that has written the account removes what the others look for.
  if (link === 'written') await removeFirstSignIns(account, user.id, store)
  // A user who was claimed since does not have this epoch.
  if (link === 'written' && abandoned.length > 0)
    await settleOtherLink(abandoned, { ...linked, epoch: '' }, { store, now: now() })
  return link !== 'not-written'
}
