import {
  approveAccount,
  getApprovalState,
  markClaimEnd,
  readApproval,
  readClaimEpoch,
  restoreClaimEnd
} from '../adapter/account-approval.ts'
import type { AccountKey } from '../adapter/adapter.ts'
import {
  areClaimedSince,
  clearPendingClaim,
  isAnyClaimPending,
  isClaimPending,
  isSince,
  maxPasswordSignIn,
  wasClaimedSince
} from '../adapter/claim-marker.ts'
import { type EndedSessionsMark, getEndedSessionsMark, readEndedSessionsMark } from '../adapter/ended-sessions.ts'
import type { FactorKey } from '../adapter/factor.ts'
import type { SignInMarkers } from '../adapter/sign-in-markers.ts'
import type { Store, TicketStore } from '../adapter/store.ts'
import { pendingSignInKind } from '../adapter/ticket.ts'
import { getLinkState, isAbandonedLink, isOwnLink, recordRemovedLink } from '../adapter/unsettled-link.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { RequestCookies } from '../model/cookie.ts'
import type { Identity } from '../model/identity.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { User } from '../model/user.ts'
import type { SessionReader } from '../sessions/strategy.ts'
import { type ClaimedAccounts, findClaimedAccounts } from './account-evidence.ts'
import { deleteFactors, verifiesLast, writeVerified } from './join-by-email.ts'
import type { ResolveUserDeps } from './plan-sign-in.ts'
import type { ResolvedUser } from './resolved-user.ts'
import type { SessionManager } from './session-manager.ts'
import { removeLink } from './write-link.ts'

// A sign-in writes first and checks afterwards. Code that ends sessions or accounts ends them first, and then searches
// for what was written in the meantime. In any order, at least one of the two sees the other. This requires no lock,
// and a callback of the application may take any time.

/** The account was removed, or the session that linked it has ended. */
export const accountChanged = ({ account }: Identity): AuthError =>
  new AuthError('OAuthAccountNotLinked', `${account.provider}: the account changed during the sign-in`)

/**
 * Checks after the session was created that the account is still linked to the user. For a known user, the write of the
 * new tokens is the check: it fails if the account has another user.
 *
 * @throws AuthError `OAuthAccountNotLinked` if the account was removed in the meantime, `StoreUnavailable`
 */
export async function requireLinked(
  identity: Identity,
  { user, confirmBy }: ResolvedUser,
  store: Store
): Promise<void> {
  if (confirmBy === 'nothing') return
  const { account, row } = identity
  if (confirmBy === 'tokens' && store.updateAccount) {
    // A response without an expiry must not keep the expiry of the previous token.
    const tokens = { expires_at: null, ...row }
    // The sign-in continues if the tokens cannot be written.
    if (await store.updateAccount(tokens, { userId: user.id }).catch(() => false)) return
  }
  if ((await store.getUserByAccount(account))?.id !== user.id) throw accountChanged(identity)
}

/**
 * Checks after a sign-in by email created a JWT session that the user was not deleted in the meantime: no row depends
 * on the user.
 *
 * @throws AuthError `Verification`, `StoreUnavailable`
 */
export async function requireUser({ account }: Identity, { user }: ResolvedUser, store: Store): Promise<void> {
  if (!(await store.getUser(user.id)))
    throw new AuthError('Verification', `${account.provider}: the user was deleted during the sign-in`)
}

/** A form with a password, and what was read after the session was created. */
interface SubmittedForm {
  /** Milliseconds since 1970. */
  readonly submittedAt: number
  /** When its sign-in was continued after an interruption, in milliseconds since 1970. @defaultValue `submittedAt` */
  readonly continuedAt?: number | undefined
  readonly now: () => number
  /** Those of the user. */
  readonly markers: SignInMarkers
}

/**
 * Checks after a sign-in by password created a session that the user was not claimed or deleted since the form was
 * submitted: a claim may have removed this password.
 *
 * If the adapter stores no tickets, the time at which the email address was verified shows a claim; a deletion is not
 * detected.
 *
 * @throws AuthError `CredentialsSignin`, `StoreUnavailable`
 */
export async function requireUnclaimed(
  { account, user: submitted }: Identity,
  { user, isNewUser }: ResolvedUser,
  store: Store,
  { submittedAt, continuedAt = submittedAt, now, markers }: SubmittedForm
): Promise<void> {
  const { tickets } = store
  const wasClaimed = async (id: string): Promise<boolean> => {
    if (!tickets) return wasVerifiedSince(id, submittedAt, store)
    return id === user.id ? areClaimedSince(markers, submittedAt) : wasClaimedSince(id, submittedAt, tickets)
  }
  // The store may have created a new user for the id of a user who was just deleted.
  for (const id of isNewUser ? [submitted.id, user.id] : [user.id]) {
    if (await wasClaimed(id))
      throw new AuthError(
        'CredentialsSignin',
        `${account.provider}: the user was claimed or deleted during the sign-in`
      )
  }
  // The record of a claim is kept longer than this, so no sign-in outlives it.
  if (now() - continuedAt > maxPasswordSignIn * 1000)
    throw new AuthError('CredentialsSignin', `${account.provider}: the sign-in took longer than ${maxPasswordSignIn} s`)
}

async function wasVerifiedSince(id: string, since: number, store: Store): Promise<boolean> {
  const verified: unknown = (await store.getUser(id))?.emailVerified
  // Some adapters return the raw value of the column.
  const isTime = verified instanceof Date || typeof verified === 'string' || typeof verified === 'number'
  return isTime && isSince(new Date(verified).getTime(), since)
}

/**
 * Rejects a session whose account is still being linked: the link may be removed again, and must not have allowed anything. If
 * the link was never confirmed, the account is removed.
 *
 * @param markers - Those of the account, read after it was found.
 * @throws AuthError `OAuthAccountNotLinked`
 */
async function requireSettledLink(
  identity: Identity,
  { user, markers }: MarkedUser,
  { store, now }: Pick<RemoveLinkedDeps, 'now' | 'store'>
): Promise<void> {
  const userId = user.id
  const link = getLinkState(markers, getApprovalState(userId, markers), now())
  if (link === 'settled') return
  if (link === 'in-progress') throw accountChanged(identity)
  const { provider, providerAccountId } = identity.account
  const owner = await store.getUserByAccount(identity.account)
  // Its owner may have linked it again since the markers were read.
  const isStill = owner?.id === userId && (await isAbandonedLink(identity.account, userId, { store, now: now() }))
  const removal = isStill && store.unlinkAccount
  // The markers stay, for other sign-ins that have found the account.
  if (removal) await removal({ provider, providerAccountId })
  const reason = `${provider}: the session that linked the account was never confirmed`
  throw new AuthError('OAuthAccountNotLinked', removal ? `${reason}, so the account is removed` : reason)
}

/**
 * Rejects a session of an account that must not sign in, and removes that account: its link was never confirmed, or it was connected
 * by a call of the store that took effect after a claim of the user.
 *
 * @param markers - Those of the account and the user, read after the account was found.
 * @throws AuthError `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function requireUsableAccount(...about: Parameters<typeof requireSettledLink>): Promise<void> {
  const [, , { store }] = about
  if (!store.tickets) return
  await requireSettledLink(...about)
  await requireApproved(...about)
}

/** A user, and the markers that were read. */
interface MarkedUser {
  readonly user: User
  readonly markers: SignInMarkers
}

/**
 * Rejects a session whose account was connected to a user by a call of the store that took effect after a claim, and removes the
 * account. One that proves the address of the user is the owner's.
 *
 * @param markers - Those of the account and the user, read after the account was found.
 * @throws AuthError `OAuthAccountNotLinked`
 */
async function requireApproved(
  { account, user: person, emailVerified }: Identity,
  { user, markers }: MarkedUser,
  { store, now }: Pick<RemoveLinkedDeps, 'now' | 'store'>
): Promise<void> {
  const { tickets } = store
  const { isMissing, approvedEpoch, epoch: found } = getApprovalState(user.id, markers)
  if (!tickets || !isMissing) return
  // The address is verified, so a claim is complete, whatever the start of another one has removed.
  const restored = found === '' && user.emailVerified ? await restoreClaimEnd(user.id, tickets) : ''
  if (restored !== '' && approvedEpoch === restored) return
  const epoch = found || restored
  // A claim of another address that the user had was interrupted, and will not be repeated.
  if (epoch === '' && !(await isClaimPending({ id: user.id, email: user.email ?? null }, tickets))) return
  if (emailVerified && isSameEmailAddress(person.email, user.email)) {
    await approveAccount(account, { userId: user.id, epoch }, { tickets, now: now() }).catch(() => undefined)
    return
  }
  const { provider, providerAccountId } = account
  const reason = `${provider}: the account was connected while the owner of the address claimed the user`
  // The claim may be about to approve it.
  const isPending = !user.emailVerified && (await isAnyClaimPending(user.id, tickets))
  const isStill =
    !isPending &&
    (await readApproval({ account, userId: user.id }, tickets)).isMissing &&
    (await store.getUserByAccount(account))?.id === user.id
  const removal = isStill && store.unlinkAccount
  if (removal) await removal({ provider, providerAccountId })
  throw new AuthError('OAuthAccountNotLinked', removal ? `${reason}, so it is removed` : reason)
}

/** What removes an account again that was linked. */
export interface RemoveLinkedDeps {
  readonly store: Store
  readonly sessionManager: Pick<SessionManager, 'can' | 'endByProvider'>
  readonly now: () => number
}

/**
 * Removes an account that was linked, as the session that allowed it has ended. The marker of the link refuses sign-ins that
 * have found the account. If the adapter stores none, the account may have signed in: its sessions end.
 */
export async function removeLinked(
  { account }: Identity,
  { user, linkMarker }: ResolvedUser,
  { store, sessionManager, now }: RemoveLinkedDeps
): Promise<void> {
  if (linkMarker && !(await isOwnLink(linkMarker, store))) return
  await removeLink(account, user.id, store)
  if (linkMarker && store.unlinkAccount) await recordRemovedLink(linkMarker, store, now())
  if (!linkMarker && sessionManager.can('endAll'))
    await sessionManager.endByProvider({ provider: account.provider, userId: user.id, sessionId: null })
}

/**
 * Checks after an account was linked that the session that allowed it has not ended. Required for stores without
 * transactions; a transaction includes this check.
 *
 * @throws AuthError `OAuthAccountNotLinked`; the account is removed again.
 */
export async function requireSessionBefore(
  identity: Identity,
  resolved: ResolvedUser,
  { finder, cookies, ...deps }: RemoveLinkedDeps & { readonly finder: SessionReader; readonly cookies: RequestCookies }
): Promise<void> {
  try {
    if ((await finder.readUserUncached(cookies))?.userId === resolved.user.id) return
    throw accountChanged(identity)
  } catch (error) {
    await removeLinked(identity, resolved, deps)
    throw error
  }
}

/**
 * Checks after a session was created that the sessions of its user were not ended meanwhile: this sign-in has replaced the
 * one which allowed the link, so only the mark shows that.
 *
 * @param before - What was read before anything was written, or before the first interruption.
 * @throws AuthError `OAuthAccountNotLinked`; the account is removed again.
 */
export async function requireNotEnded(
  identity: Identity,
  resolved: ResolvedUser,
  before: EndedSessionsMark,
  deps: RemoveLinkedDeps
): Promise<void> {
  const { tickets } = deps.store
  try {
    if (tickets && (await readEndedSessionsMark(resolved.user.id, tickets)) !== before) throw accountChanged(identity)
  } catch (error) {
    await removeLinked(identity, resolved, deps)
    throw error
  }
}

/**
 * Checks after a sign-in created a session that the sessions of its user were not ended since it began or was interrupted: it
 * may have consumed its ticket before the ticket was deleted, or asked for the factors of the user before one was added.
 *
 * @param markers - Those of the user, read after the session was created.
 * @param before - What was read before the first interruption was asked.
 * @throws AuthError `Callback`
 */
export function requireNotRevoked({ account }: Identity, markers: SignInMarkers, before: EndedSessionsMark): void {
  if (getEndedSessionsMark(markers) === before) return
  throw new AuthError('Callback', `${account.provider}: the sessions of the user ended during the sign-in`, {
    status: 401
  })
}

/**
 * Checks before a transaction is committed that the application did not change the user's email address while one of
 * its callbacks ran.
 *
 * @throws AuthError `OAuthAccountNotLinked`
 */
export async function requireSameAddress(
  identity: Identity,
  { user, isNewUser }: ResolvedUser,
  store: Store
): Promise<void> {
  if (!isNewUser && (await store.getUser(user.id))?.email !== user.email) throw accountChanged(identity)
}

/** What a claim creates. */
interface CreatedByClaim {
  /** The database session; `null` if there is none yet. */
  readonly handle: string | null
  /** Factors that the owner has enrolled during the sign-in. */
  readonly factors: readonly FactorKey[]
}

/**
 * Removes sessions, accounts and factors that others added to a user between the read and the write of a claim, calls the
 * application's listener again, and verifies the address. If a step fails, the address stays or becomes unverified, and
 * the owner's next sign-in claims the user again.
 *
 * @param created - What the claim itself created, which is kept.
 */
export async function finishClaim(
  identity: Identity,
  resolved: ResolvedUser,
  created: CreatedByClaim,
  deps: ClaimDeps
): Promise<void> {
  const { store } = deps
  const { tickets } = store
  const { id, email, emailVerified } = resolved.user
  const isLast = verifiesLast(store)
  if (isLast && (await isComplete(resolved.user, store))) return
  try {
    const kept = await sweep(identity, resolved, created, deps)
    if (isLast && (await isComplete(resolved.user, store))) return
    if (tickets) await approveKept(id, kept, { tickets, now: deps.now() })
    if (isLast) await writeVerified({ id, email: email ?? null, emailVerified: emailVerified ?? null }, deps)
  } catch (error) {
    if (!isLast) await store.updateUser({ id, emailVerified: null })
    throw error
  }
  // A marker that remains belongs to an address that is verified: it is not read.
  if (tickets) await clearPendingClaim(id, tickets).catch(() => undefined)
}

/** Whether another claim of the owner was completed since this one started. What the owner has added since then stays. */
async function isComplete({ id, email }: User, { getUser, tickets }: Store): Promise<boolean> {
  const current = await getUser(id)
  if (!current?.emailVerified || current.email !== email || !tickets) return false
  return (await readClaimEpoch(id, tickets)) !== ''
}

/** Approves the accounts that a claim keeps. Requests of sessions that it has ended cannot approve any. */
async function approveKept(
  userId: string,
  kept: readonly AccountKey[],
  deps: { readonly tickets: TicketStore; readonly now: number }
): Promise<void> {
  let epoch = await markClaimEnd(userId, deps.tickets)
  for (;;) {
    for (const account of kept) await approveAccount(account, { userId, epoch }, deps)
    const current = await readClaimEpoch(userId, deps.tickets)
    if (current === epoch || current === '') return
    // Another claim of the owner has ended since. One that has only started approves them itself.
    epoch = current
  }
}

/** How often a claim removes accounts that sessions link while it runs. */
const maxSearches = 10

/** Removes what others have added to a user. @returns The accounts that have proven the address. */
async function sweep(
  { account }: Identity,
  { user }: ResolvedUser,
  { handle, factors }: CreatedByClaim,
  { store, providers, claimUser, endTokens }: ClaimDeps
): Promise<readonly AccountKey[]> {
  const search = (): Promise<ClaimedAccounts> => findClaimedAccounts(user, account, { store, providers })
  const removed: AccountKey[] = []
  // Tokens end before and after: a session that begins in between has the version of the first call.
  await endTokens?.(user.id)
  let found = await search()
  for (let searches = 1; ; searches++) {
    for (const key of found.unproven) await store.unlinkAccount?.(key)
    removed.push(...found.unproven)
    await deleteFactors(user.id, store, factors)
    // A sign-in that was interrupted in the meantime must not continue.
    await store.tickets?.delete(user.id, pendingSignInKind)
    await store.deleteSessions?.(user.id, ...(handle === null ? [] : [handle]))
    await endTokens?.(user.id)
    // A session may have linked an account before it ended, and another one may have begun with that account.
    found = await search()
    if (found.unproven.length === 0) break
    if (searches === maxSearches)
      throw new AuthError(
        'OAuthAccountNotLinked',
        `${account.provider}: the user still has accounts that did not prove the address; expected unlinkAccount to remove them`
      )
  }
  await claimUser?.({ user, account, removed: { accounts: removed }, phase: 'after' })
  return found.proven
}

type ClaimDeps = Pick<ResolveUserDeps, 'store' | 'providers' | 'claimUser' | 'endTokens' | 'emit' | 'now'>
