import type { FoundUser, Store } from '../adapter/store.ts'
import { noUserVersion, type UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { Principal } from '../sessions/strategy.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import type { AccountRules } from './account-rules.ts'
import { isInvalidUserId } from './invalid-user-id.ts'
import { isInvited } from './invitation.ts'
import { decideLinking, type LinkingContext, type LinkingDecision } from './linking-policy.ts'
import { planApplicationUser, toKnown } from './plan-application-user.ts'
import { renameFormerAccount } from './rename-account.ts'
import { requireFreshSignIn } from './resolved-user.ts'
import { LinkConfirmation, SessionConflictError } from './sign-in-errors.ts'
import type { SignInPlan } from './sign-in-plan.ts'
import { concealUser } from './unlinked-address.ts'

/** The user who was signed in when the sign-in began, and the one who is signed in now. */
export interface SessionContext {
  readonly principal: Principal | null
  /** The user's id; `null` if no user was signed in, `undefined` if the sign-in method does not record it. */
  readonly initialUserId: string | null | undefined
  /** Whether the sign-in was started to link an account; `undefined` if the method cannot start a link. */
  readonly isLink: boolean | undefined
}

/**
 * Finds the user of a proven identity: the owner of the account or of the mailbox, or the stored user that the method
 * names. Returns `null` if there is none, or if the application names the user. An account that has another id since is renamed
 * first, whatever becomes of the sign-in: the provider has proven both ids.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function findUserByIdentity(
  identity: Identity,
  policy: AccountPolicy,
  store: Store,
  userVersions: UserVersions
): Promise<FoundUser | null> {
  const { account, user } = identity
  const { provider, providerAccountId } = account
  if (policy === 'application') return null
  if (policy === 'stored') return store.findUser({ userId: user.id })
  if (policy === 'mailbox') return user.email ? store.findUser({ email: user.email }) : null
  const by = { account: { provider, providerAccountId } }
  const found = await store.findUser(by)
  if (found) return found
  return (await renameFormerAccount(identity, store, userVersions)) ? store.findUser(by) : null
}

/** What a sign-in has proven, and the user that it is about. */
export interface PlanInput {
  readonly identity: Identity
  /** How the sign-in method finds the user. */
  readonly policy: AccountPolicy
  /** The user of the identity, as {@link findUserByIdentity} has found them. */
  readonly owner: FoundUser | null
}

/**
 * Finds the user that a proven identity belongs to, by the account policy of the sign-in method, and plans what signs them in, links
 * or creates them. Writes nothing. A user that the application names is stored for database sessions only.
 *
 * @throws AuthError `OAuthAccountNotLinked`, `CredentialsSignin`, `StoreUnavailable`
 */
export async function planSignIn(
  input: PlanInput,
  session: SessionContext,
  store: Store | null,
  rules: AccountRules
): Promise<SignInPlan> {
  const { identity, policy, owner } = input
  if (!store) return toKnown(identity.user, null)
  if (policy === 'application' && !rules.isDatabaseSession)
    return toKnown(identity.user, await readRow(identity.user.id, store))
  if (policy === 'application') return planApplicationUser(identity, session.principal, store, rules)
  if (policy !== 'stored') return planLinkedUser(input, session, store, rules)
  // The user may have been deleted in the meantime.
  if (!owner) throw new AuthError('CredentialsSignin', `${identity.account.provider}: the user does not exist`)
  return toKnown(owner.user, owner.version)
}

/** Plans the sign-in of the user of an account or of a mailbox, by next-auth v4's linking rules. */
async function planLinkedUser(
  input: PlanInput,
  session: SessionContext,
  store: Store,
  rules: AccountRules
): Promise<SignInPlan> {
  const { identity, policy } = input
  const { principal, initialUserId } = session
  const known = await loadLinkingContext(input, principal, store, rules)
  const { current } = known
  const isSomebodyElse = current && initialUserId !== undefined && initialUserId !== current.user.id
  if (principal && isSomebodyElse && known.owner?.user.id !== current.user.id)
    throw new SessionConflictError(identity.account.provider, principal)
  const decision = decideLinking(policy, known)
  if (rules.concealUsers) concealUser(identity, policy, { decision, known })
  return decision.kind === 'link' && principal
    ? planLink(identity, decision.found, { ...session, principal, store }, rules)
    : toPlan(decision, identity, policy)
}

/**
 * Loads what the linking decision depends on. Writes nothing.
 *
 * @throws AuthError `StoreUnavailable`
 */
async function loadLinkingContext(
  { identity, policy, owner }: PlanInput,
  signedIn: Principal | null,
  store: Store,
  { providers, now }: AccountRules
): Promise<LinkingContext> {
  const { account, user, emailVerified: isEmailVerified } = identity
  const { mayLinkByEmail = false, mayRedeemInvitation = false } = providers.get(account.provider)?.traits ?? {}
  const stated = { isEmailVerified, mayLinkByEmail, isInvited: false }
  // A link signs in the owner of the mailbox; the user who is signed in in this browser is irrelevant.
  if (policy === 'mailbox') return { current: null, owner: null, userWithEmail: owner, ...stated }
  const current = signedIn && (await findSignedInUser(signedIn, store))
  const userWithEmail = owner || current || !user.email ? null : await store.findUser({ email: user.email })
  if (!userWithEmail) return { current, owner, userWithEmail, ...stated }
  // A concurrent first sign-in may have created this user with the account between the two reads.
  const { provider, providerAccountId } = account
  const ownerNow = await store.findUser({ account: { provider, providerAccountId } })
  if (ownerNow) return { current, owner: ownerNow, userWithEmail, ...stated }
  const mayRedeem = isEmailVerified && mayRedeemInvitation
  const isInvitee = store.tickets !== null && mayRedeem && (await isInvited(userWithEmail.user, store.tickets, now()))
  return { current, owner: null, userWithEmail, ...stated, isInvited: isInvitee }
}

/**
 * Plans the link of an account to the signed-in user. A store without tickets cannot keep the sign-in until the user has confirmed
 * the link.
 *
 * @throws AuthError `OAuthAccountNotLinked`
 */
function planLink(
  identity: Identity,
  { user, version: row }: FoundUser,
  { principal, isLink, store }: SessionContext & { readonly principal: Principal; readonly store: Store },
  rules: AccountRules
): SignInPlan {
  requireFreshSignIn(principal, identity, rules)
  const mustConfirm = !isLink && rules.signedIn === 'confirm'
  if (mustConfirm && isLink === undefined)
    throw new AuthError(
      'OAuthAccountNotLinked',
      `${identity.account.provider}: another user is signed in; sign out first`
    )
  if (mustConfirm && !store.tickets) throw new LinkConfirmation(identity, principal)
  return { kind: 'linked', user, row, principal, mustConfirm }
}

/** Reads the row of a user who is not stored: they may be suspended, and their sessions may have ended. */
async function readRow(userId: string, store: Store): Promise<UserVersion | null> {
  if (!store.versions) return null
  return store.versions.get(userId).catch((error: unknown) => {
    // No user of the store has this id.
    if (isInvalidUserId(error)) return noUserVersion(userId)
    throw error
  })
}

/** Returns the stored user of a session; `null` for a user of a JWT session whose id the store cannot have. */
async function findSignedInUser({ userId }: Principal, store: Store): Promise<FoundUser | null> {
  return store.findUser({ userId }).catch((error: unknown) => {
    if (isInvalidUserId(error)) return null
    throw error
  })
}

/** @throws AuthError `OAuthAccountNotLinked` */
function toPlan(decision: LinkingDecision, identity: Identity, policy: AccountPolicy): SignInPlan {
  if (decision.kind === 'create') return { kind: 'created', user: null, row: null }
  if (decision.kind === 'refuse' || decision.kind === 'link')
    throw new AuthError(
      'OAuthAccountNotLinked',
      `${identity.account.provider}: the account or its address belongs to another user`
    )
  const { user, version: row } = decision.found
  if (decision.kind === 'join') return { kind: 'joined', user, row, isInvited: decision.isInvited }
  if (decision.kind === 'reclaim') return { kind: 'reclaimed', user, row, isInvited: decision.isInvited }
  // A linked account may prove the address of its user, which nobody has proven. Nothing is removed: the user already had it.
  const isProof = identity.emailVerified && !user.emailVerified && isSameEmailAddress(user.email, identity.user.email)
  const writesTokens = policy === 'link'
  return { kind: 'known', user, row, writesTokens, verifiesAddress: writesTokens && isProof }
}
