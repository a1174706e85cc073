import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { findUserByEmail } from '../adapter/user-by-email.ts'
import type { Identity } from '../model/identity.ts'
import type { Provider } from '../model/provider.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { Principal } from '../sessions/strategy.ts'
import { findOtherFirstSignIn } from './first-sign-in-progress.ts'
import { isInvalidUserId } from './invalid-user-id.ts'
import { isInvited } from './invitation.ts'
import type { LinkingContext } from './linking-policy.ts'

/** The dependencies of {@link loadLinkingContext}. */
export interface LinkingContextDeps {
  readonly store: Store
  readonly providers: ReadonlyMap<string, Provider>
  readonly now: () => number
  /** How the sign-in method finds the user. */
  readonly policy: AccountPolicy
}

/**
 * Loads what the linking decision depends on. Writes nothing.
 *
 * @param owner - The owner of the identity when it was read before.
 * @throws AuthError `StoreUnavailable`
 */
export async function loadLinkingContext(
  identity: Identity,
  owner: AdapterUser | null,
  signedIn: Principal | null,
  deps: LinkingContextDeps
): Promise<LinkingContext> {
  const { account, user, emailVerified } = identity
  const { store, policy, providers, now } = deps
  const mayLinkByEmail = providers.get(account.provider)?.traits.mayLinkByEmail ?? false
  const said = { isEmailVerified: emailVerified, mayLinkByEmail, interrupted: 'none', isInvited: false } as const
  // A link signs in the owner of the mailbox; the user who is signed in in this browser is irrelevant.
  if (policy === 'mailbox') return { current: null, owner: null, userWithEmail: owner, ...said }
  const current = signedIn && (await getSignedInUser(signedIn, store))
  const userWithEmail = owner || current ? null : await findUserByEmail(user.email, store)
  // A concurrent first sign-in may have written between the two reads: then `userWithEmail` owns the account.
  const ownerNow = owner ?? (userWithEmail && (await store.getUserByAccount(account)))
  const known = { current, owner: ownerNow, userWithEmail, ...said }
  if (!userWithEmail || ownerNow) return known
  const { interrupted, owner: ownerSince } = await findOtherFirstSignIn(account, userWithEmail, { store, now })
  if (ownerSince) return { ...known, owner: ownerSince }
  return { ...known, interrupted, isInvited: await mayJoinByInvitation(identity, userWithEmail, deps) }
}

/** Returns the stored user of a session; `null` for a user of a JWT session whose id the store cannot have. */
async function getSignedInUser({ userId }: Principal, store: Store): Promise<AdapterUser | null> {
  return store.getUser(userId).catch((error: unknown) => {
    if (isInvalidUserId(error)) return null
    throw error
  })
}

/** Whether the user with the email address of this account is invited, and the account may redeem the invitation. */
async function mayJoinByInvitation(
  { account, emailVerified }: Identity,
  userWithEmail: AdapterUser,
  { store: { tickets }, providers, now }: LinkingContextDeps
): Promise<boolean> {
  const mayRedeem = emailVerified && (providers.get(account.provider)?.traits.mayRedeemInvitation ?? false)
  return tickets !== null && mayRedeem && isInvited(userWithEmail, tickets, now())
}
