import type { AdapterUser, NewUser } from '../adapter/adapter.ts'
import { isClaimPending } from '../adapter/claim-marker.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import { normalizeEmailAddress } from '../model/normalize-email-address.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { Principal } from '../sessions/strategy.ts'
import { recordEvidence } from './account-evidence.ts'
import { createUserErrors } from './create-user-errors.ts'
import { continueFirstSignIn, LinkError } from './create-user-fallback.ts'
import { createUserWithAccount } from './create-user-with-account.ts'
import { findUserByIdentity } from './find-user.ts'
import { removeFirstSignIns } from './first-sign-in-progress.ts'
import { invitationKey } from './invitation.ts'
import { type Claim, claimAddress, type JoinDeps, verifiesLast } from './join-by-email.ts'
import { LinkConfirmation } from './link-confirmation.ts'
import { decideLinking, type LinkingDecision } from './linking-policy.ts'
import { type LinkingContextDeps, loadLinkingContext } from './load-linking-context.ts'
import { planApplicationUser } from './plan-application-user.ts'
import { requireUnreserved } from './reserved-email.ts'
import { type FreshSignInDeps, type ResolvedUser, requireFreshSignIn, resolvedUser } from './resolved-user.ts'
import { SessionConflictError } from './session-conflict-error.ts'
import { SignInConflict } from './sign-in-conflict.ts'
import type { SignInPlan } from './sign-in-plan.ts'
import { concealUser } from './unlinked-address.ts'
import { writeLink, writeSessionLink } from './write-link.ts'

/** The dependencies of {@link planSignIn}. */
export interface ResolveUserDeps extends LinkingContextDeps, JoinDeps, FreshSignInDeps {
  /** Whether sessions of this registration can be ended: a claim must then end all of them. */
  readonly canEndSessions: boolean
  /** What happens if a signed-in user returns from a provider with an account that no user has. */
  readonly signedIn: 'confirm' | 'link'
  /** Whether a sign-in with an unverified address must not show whether a user has it. */
  readonly concealUsers: boolean
  readonly isDatabaseSession: boolean
  /** Whether the store records writes, and makes them in one transaction. */
  readonly isTransaction: boolean
  /** Whether sign-ins can be interrupted: a conflict must then repeat the whole sign-in. */
  readonly hasInterruptions: boolean
  /** Whether an address is reserved for a user who exists, under another address; `null` if none is. */
  readonly isEmailReserved: ((email: string) => Promise<boolean>) | null
}

/** The user who was signed in when the sign-in began, and the one who is signed in now. */
export interface SessionContext {
  readonly principal: Principal | null
  /** The user's id; `null` if no user was signed in, `undefined` if the sign-in method does not record it. */
  readonly initialUserId: string | null | undefined
  /** Whether the sign-in was started to link an account; `undefined` if the method cannot start a link. */
  readonly isLink: boolean | undefined
}

/**
 * Finds the user that a proven identity belongs to, by the account policy of the sign-in method, and plans what signs
 * them in, links or creates them. Without an adapter nothing is stored. A user that the application names is stored for
 * database sessions only.
 *
 * @param owner - The result of `findUserByIdentity` before the `signIn` callback ran.
 * @throws AuthError `OAuthAccountNotLinked`, `OAuthCreateAccount`, `EmailCreateAccount`, `Callback`, `StoreUnavailable`;
 * `apply` throws SignInConflict if another sign-in changed what the plan is based on.
 */
export async function planSignIn(
  identity: Identity,
  owner: AdapterUser | null,
  session: SessionContext,
  deps: Omit<ResolveUserDeps, 'store'> & { readonly store: Store | null }
): Promise<SignInPlan> {
  const { store, policy, isDatabaseSession } = deps
  const isStored = policy !== 'application' || isDatabaseSession
  if (!store || !isStored) {
    const { user, account } = identity
    return { user, linksTo: null, apply: async () => resolvedUser(user, account, { confirmBy: 'nothing' }) }
  }
  if (policy === 'stored') return planStoredUser(identity, owner)
  return policy === 'application'
    ? planApplicationUser(identity, session.principal, { ...deps, store })
    : planLinkedUser(identity, owner, session, { ...deps, store })
}

/** Plans the sign-in of a user that exists. @throws AuthError `CredentialsSignin` if the user was deleted in the meantime */
function planStoredUser({ account }: Identity, user: AdapterUser | null): SignInPlan {
  if (!user) throw new AuthError('CredentialsSignin', `${account.provider}: the user does not exist`)
  return { user, linksTo: null, apply: async () => resolvedUser(user, account, { confirmBy: 'nothing' }) }
}

/** Plans the sign-in of the user of an account or of a mailbox, by next-auth v4's linking rules. */
async function planLinkedUser(
  identity: Identity,
  owner: AdapterUser | null,
  { principal, initialUserId, isLink }: SessionContext,
  deps: ResolveUserDeps
): Promise<SignInPlan> {
  const { account } = identity
  const known = await loadLinkingContext(identity, owner, principal, deps)
  const { current } = known
  const isSomebodyElse = current && initialUserId !== undefined && initialUserId !== current.id
  if (principal && isSomebodyElse && known.owner?.id !== current.id)
    throw new SessionConflictError(account.provider, principal)
  const decision = decideLinking(deps.policy, known)
  if (deps.concealUsers) concealUser(identity, deps.policy, { decision, known })
  // Nobody is asked for another step of a sign-in that is refused.
  if (decision.kind === 'refuse') throw refused(account)
  if (decision.kind === 'create') await requireUnreserved(identity, newUser(identity, deps).email, deps)
  const isSessionLink = decision.kind === 'link' && decision.user === current
  if (isSessionLink && principal) {
    requireFreshSignIn(principal, identity, deps)
    if (!isLink && deps.signedIn === 'confirm') {
      if (isLink === false) return confirmedLink(identity, decision.user, principal, deps)
      throw new AuthError('OAuthAccountNotLinked', `${account.provider}: another user is signed in; sign out first`)
    }
  }
  return {
    user: 'user' in decision ? decision.user : null,
    linksTo: null,
    isSessionLink,
    hasAccount: decision.kind === 'sign-in' && deps.policy === 'link',
    isClaim: isClaimBy(decision, deps),
    apply: () => applyDecision(decision, identity, current, deps)
  }
}

/** Whether a decision verifies the unverified address of a user, and so removes what others may have added. */
function isClaimBy(
  decision: LinkingDecision,
  { policy, unverified }: Pick<ResolveUserDeps, 'policy' | 'unverified'>
): boolean {
  const isJoin = decision.kind === 'join' || (decision.kind === 'sign-in' && policy === 'mailbox')
  return isJoin && !decision.user.emailVerified && unverified === 'unlink'
}

/** The plan of a link that an interruption must confirm. A store without tickets cannot keep the sign-in until then. */
function confirmedLink(
  identity: Identity,
  user: AdapterUser,
  principal: Principal,
  { store }: Pick<ResolveUserDeps, 'store'>
): SignInPlan {
  const refuse = (): never => {
    throw new LinkConfirmation(identity, principal)
  }
  return store.tickets ? { user, linksTo: principal, isSessionLink: true, apply: async () => refuse() } : refuse()
}

const refused = ({ provider }: Account): AuthError =>
  new AuthError('OAuthAccountNotLinked', `${provider}: the account or its address belongs to another user`)

async function applyDecision(
  decision: LinkingDecision,
  identity: Identity,
  current: AdapterUser | null,
  deps: ResolveUserDeps
): Promise<ResolvedUser> {
  const { account } = identity
  switch (decision.kind) {
    case 'refuse':
      throw refused(account)
    case 'create':
      return create(identity, deps)
    case 'link': {
      if (decision.user === current) return linkBySession(current, identity, deps)
      return resolvedUser(decision.user, account, { isLinked: await link(decision.user, identity, deps) })
    }
    case 'continue': {
      const isLinked = await continueFirstSignIn(decision.user, identity, deps)
      if (isLinked) await reportLink(decision.user, identity, deps)
      return resolvedUser(decision.user, account, { isLinked, confirmBy: 'account' })
    }
    case 'join': {
      const { user, isClaim } = await join(decision, identity, deps)
      return resolvedUser(user, account, { isClaim, isLinked: true })
    }
    case 'sign-in':
      if (deps.policy === 'mailbox') {
        const { user, isClaim } = await claimAddress(decision.user, account, deps)
        return resolvedUser(user, account, { isClaim, confirmBy: 'nothing' })
      }
      return resolveOwner(decision.user, identity, deps)
  }
}

/** Links an account to the signed-in user. Nobody signs in with it until the session was confirmed. */
async function linkBySession(user: AdapterUser, identity: Identity, deps: ResolveUserDeps): Promise<ResolvedUser> {
  const { account, row } = identity
  const { isLinked, linkMarker } = await writeSessionLink(user, row, deps)
  if (!isLinked) return resolvedUser(user, account, { confirmBy: 'tokens' })
  await reportLink(user, identity, deps)
  return resolvedUser(user, account, { isLinked, needsBefore: true, linkMarker })
}

async function resolveOwner(owner: AdapterUser, identity: Identity, deps: ResolveUserDeps): Promise<ResolvedUser> {
  const { user, isClaim } = await confirmAddress(owner, identity, deps)
  return resolvedUser(user, identity.account, { isClaim, confirmBy: 'tokens' })
}

/**
 * Verifies the email address of a user who signed in with a linked account, if the provider states that the same
 * address is verified. Nothing is removed, because the user already had this account, unless an earlier claim of the
 * address failed: then it runs again.
 */
async function confirmAddress(user: AdapterUser, identity: Identity, deps: ResolveUserDeps): Promise<Claim> {
  const { user: person, emailVerified, account } = identity
  const unchanged = { user, isClaim: false }
  if (!emailVerified || user.emailVerified || !isSameEmailAddress(user.email, person.email)) return unchanged
  const { store, now } = deps
  if ((await store.getUser(user.id))?.email !== user.email) return unchanged
  await recordEvidence(identity, user.id, deps).catch(() => undefined)
  if (store.tickets && (await isClaimPending(user, store.tickets))) return claimAddress(user, account, deps)
  // Both fields are written: the application may change the address at this moment.
  const verified = store.updateUser({ id: user.id, email: user.email, emailVerified: new Date(now()) })
  return { user: await verified.catch(() => user), isClaim: false }
}

/** Joins a user by the email address, and consumes the invitation or the markers that allow it. */
async function join(
  { user, isInvited }: Extract<LinkingDecision, { kind: 'join' }>,
  identity: Identity,
  deps: ResolveUserDeps
): Promise<Claim> {
  const { store } = deps
  const { account } = identity
  const invitation = isInvited ? await store.tickets?.consume(await invitationKey(user.id, user.email)) : null
  if (isInvited && !invitation)
    throw new AuthError('OAuthAccountNotLinked', `${account.provider}: the invitation was used`)
  let isClaimed = false
  try {
    const claim = await claimAddress(user, account, deps)
    isClaimed = claim.isClaim
    const isLinked = await link(user, identity, deps)
    if (!isInvited && isLinked) await removeFirstSignIns(account, user.id, store)
    return claim
  } catch (error) {
    // The join can be retried: the address is unverified again, and the invitation is restored.
    if (isClaimed && !verifiesLast(store))
      await store.updateUser({ id: user.id, emailVerified: null }).catch(() => undefined)
    if (invitation) await store.tickets?.create(invitation).catch(() => undefined)
    throw error
  }
}

/** @returns `false` if another request of the same user has just linked the account. */
async function link(user: AdapterUser, identity: Identity, deps: ResolveUserDeps): Promise<boolean> {
  const isLinked = await writeLink(user, identity.row, deps)
  if (isLinked) await reportLink(user, identity, deps)
  return isLinked
}

async function reportLink(user: AdapterUser, identity: Identity, deps: ResolveUserDeps): Promise<void> {
  const { account, user: profile } = identity
  await recordEvidence(identity, user.id, deps).catch(() => undefined)
  await deps.emit('linkAccount', { user, account, profile })
}

/**
 * The row of a new user; the store generates the id.
 *
 * An address of a provider that nobody could type is not stored: a unique index that ignores accents or width would
 * refuse the user whose address looks like it.
 */
function newUser({ user, emailVerified }: Identity, { policy, now }: ResolveUserDeps): NewUser {
  const { id: _, ...fields } = user
  const given = user.email ?? null
  const email = policy === 'link' && given !== null && normalizeEmailAddress(given) !== given ? null : given
  const isProven = email !== null && (emailVerified || policy === 'mailbox')
  return { ...fields, email, emailVerified: isProven ? new Date(now()) : null }
}

async function create(identity: Identity, deps: ResolveUserDeps): Promise<ResolvedUser> {
  const { account, user: profile } = identity
  const { emit, policy, store } = deps
  // The markers of the account show whether another tab has linked it again, after a claim.
  const confirmBy = policy === 'mailbox' ? 'nothing' : store.createUserWithAccount ? 'owner' : 'account'
  try {
    const row = newUser(identity, deps)
    const { user, isLinked } =
      policy === 'mailbox'
        ? { user: await store.createUser(row), isLinked: false }
        : await createUserWithAccount(row, identity, deps)
    await emit('createUser', { user })
    if (isLinked) await emit('linkAccount', { user, account, profile })
    return resolvedUser(user, account, { isNewUser: true, confirmBy })
  } catch (error) {
    if (error instanceof LinkError) throw toReported(error, policy)
    if (!(error instanceof StoreError)) throw error
    return resolveCreateConflict(error, identity, deps)
  }
}

/** The error of a new user whose account the store has refused, or cannot link at the moment. */
function toReported({ reason, isUserDeleted }: LinkError, policy: AccountPolicy): AuthError {
  if (reason.isOutage || !isUserDeleted) return reason
  return new AuthError(createUserErrors[policy], reason.message, { cause: reason })
}

/** Resolves two concurrent first sign-ins: the second one continues as the user of the first. */
async function resolveCreateConflict(
  error: StoreError,
  identity: Identity,
  deps: ResolveUserDeps
): Promise<ResolvedUser> {
  const { store, policy, hasInterruptions } = deps
  const owner = await findUserByIdentity(identity, policy, store)
  const decision = decideLinking(policy, await loadLinkingContext(identity, owner, null, deps))
  if (decision.kind !== 'create') {
    // The interruptions of this user may differ from those of a new one.
    if (hasInterruptions) throw new SignInConflict()
    return applyDecision(decision, identity, null, deps)
  }
  if (error.isOutage) throw error
  throw new AuthError(createUserErrors[policy], error.message, { cause: error })
}
