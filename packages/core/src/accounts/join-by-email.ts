import { markClaimStart } from '../adapter/account-approval.ts'
import type { AccountKey, AdapterUser } from '../adapter/adapter.ts'
import { markClaim, markPendingClaim } from '../adapter/claim-marker.ts'
import type { FactorKey } from '../adapter/factor.ts'
import type { Store } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Emit, EventPayloads } from '../hooks/events.ts'
import type { Account } from '../model/account.ts'
import type { Provider } from '../model/provider.ts'
import { findClaimedAccounts } from './account-evidence.ts'

/** The dependencies of a join by email address. */
export interface JoinDeps {
  readonly store: Store
  readonly providers: ReadonlyMap<string, Provider>
  readonly emit: Emit
  readonly now: () => number
  /** Whether a claim removes the sessions and accounts of a user whose email address was unverified. */
  readonly unverified: 'unlink' | 'keep'
  /** Ends all JWT sessions of a user, in every registration with this store; `null` if that is not possible. */
  readonly endTokens: ((userId: string) => Promise<unknown>) | null
  /** The adapter methods that are missing to remove all accounts and sessions of a user. */
  readonly missingToClaim: readonly string[]
  /** Calls the application's `claimUser` listener and rejects if it fails; `null` if there is none. */
  readonly claimUser: ((claim: EventPayloads['claimUser']) => Promise<unknown>) | null
}

/** A user whose email address is now verified. */
export interface Claim {
  readonly user: AdapterUser
  /** Whether another person may have created the user. The accounts and sessions that the person added were removed. */
  readonly isClaim: boolean
}

/**
 * Verifies the email address of a user whose owner has just proven it.
 *
 * If the address was unverified, another person may have created the user with it. Their sessions, pending requests and
 * accounts end before the address counts as verified: no access that the owner does not know of remains. Accounts that
 * have proven this address are kept.
 *
 * @throws AuthError `OAuthAccountNotLinked` if the adapter cannot remove them, and the application did not opt out.
 * @see "Pre-hijacked accounts", arXiv 2205.10174
 */
export async function claimAddress(user: AdapterUser, account: Account, deps: JoinDeps): Promise<Claim> {
  const { store, now } = deps
  const isClaim = !user.emailVerified && deps.unverified === 'unlink'
  if (isClaim) requireMethods(account, deps)
  const keys = isClaim ? (await findClaimedAccounts(user, account, deps)).unproven : []
  if (isClaim) await deps.claimUser?.({ user, account, removed: { accounts: keys }, phase: 'before' })
  const current = await store.getUser(user.id)
  if (current?.email !== user.email)
    throw new AuthError('OAuthAccountNotLinked', `${account.provider}: the user's address changed during the sign-in`)
  // Another sign-in of the owner may have verified the email address while the listener ran.
  const isUnverified = isClaim && !current.emailVerified
  if (isUnverified) await removeUnverified(user, keys, deps)
  // Nothing changes: a write that took effect late would give the user this address back after a change.
  if (current.emailVerified) {
    await deps.emit('updateUser', { user: current })
    return { user: current, isClaim: false }
  }
  const verified = { ...current, emailVerified: new Date(now()) }
  const isLater = isUnverified && verifiesLast(store)
  return { user: isLater ? verified : await writeVerified(verified, deps), isClaim: isUnverified }
}

/**
 * Returns whether a claim verifies the address in its last write. The address of a claim that is interrupted is then
 * still unverified, and the owner's next sign-in repeats the claim.
 *
 * Without tickets it is verified before concurrent sign-ins are searched for: the time of that write is what stops a
 * sign-in with a password.
 */
export function verifiesLast({ tickets }: Pick<Store, 'tickets'>): boolean {
  return tickets !== null
}

/** Writes the address too: it is the proven one, even if the application has changed it in the meantime. */
export async function writeVerified(
  { id, email, emailVerified }: AdapterUser,
  { store, emit }: Pick<JoinDeps, 'store' | 'emit'>
): Promise<AdapterUser> {
  const user = await store.updateUser({ id, email, emailVerified })
  await emit('updateUser', { user })
  return user
}

/** @throws AuthError `OAuthAccountNotLinked` */
function requireMethods({ provider }: Account, { missingToClaim }: Pick<JoinDeps, 'missingToClaim'>): void {
  if (missingToClaim.length === 0) return
  throw new AuthError(
    'OAuthAccountNotLinked',
    `${provider}: the user's address is unverified, and the adapter cannot remove the accounts and sessions of the user; ` +
      `add ${missingToClaim.join(', ')} to the adapter, or set linking.unverified to 'keep'`
  )
}

async function removeUnverified(
  { id, email }: AdapterUser,
  accounts: readonly AccountKey[],
  { store, endTokens, now }: JoinDeps
): Promise<void> {
  const { tickets } = store
  if (tickets) {
    // From now on, no account of the user is approved: if this process ends, the claim must run again.
    await markPendingClaim({ id, email }, tickets, now())
    await markClaimStart(id, tickets)
  }
  for (const key of accounts) await store.unlinkAccount?.(key)
  await deleteFactors(id, store)
  await tickets?.delete(id)
  if (tickets) await markClaim(id, tickets, now())
  await endTokens?.(id)
  await store.deleteSessions?.(id)
}

/**
 * Deletes what the user authenticates with. Factors do not prove an address, so none of them survives a claim, except those
 * that the claim itself created.
 */
export async function deleteFactors(
  userId: string,
  { factors }: Pick<Store, 'factors'>,
  created: readonly FactorKey[] = []
): Promise<void> {
  const isKept = ({ type, id }: FactorKey): boolean => created.some((key) => key.type === type && key.id === id)
  for (const key of (await factors?.listKeys(userId)) ?? []) if (!isKept(key)) await factors?.delete(key)
}
