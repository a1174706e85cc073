import type { FoundUser, Store } from '../adapter/store.ts'
import { noUserVersion, type UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { Principal } from '../sessions/strategy.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import type { AccountRules } from './account-rules.ts'
import { findUserByEmail, findUserByIdentity } from './find-user.ts'
import { isInvalidUserId } from './invalid-user-id.ts'
import { isInvited } from './invitation.ts'
import { LinkConfirmation } from './link-confirmation.ts'
import { decideLinking, type LinkingContext, type LinkingDecision } from './linking-policy.ts'
import { planApplicationUser } from './plan-application-user.ts'
import { requireFreshSignIn } from './resolved-user.ts'
import { SessionConflictError } from './session-conflict-error.ts'
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

/** Plans the sign-ins of a method. */
export class SignInPlanner {
  readonly #policy: AccountPolicy
  readonly #store: Store | null
  readonly #userVersions: UserVersions
  readonly #rules: AccountRules

  /** @param policy - How the sign-in method finds the user. */
  constructor(policy: AccountPolicy, store: Store | null, userVersions: UserVersions, rules: AccountRules) {
    this.#policy = policy
    this.#store = store
    this.#userVersions = userVersions
    this.#rules = rules
  }

  /**
   * Finds the user that a proven identity belongs to, by the account policy of the sign-in method, and plans what signs them in, links
   * or creates them. Writes nothing. A user that the application names is stored for database sessions only.
   *
   * @param owner - The result of `findUserByIdentity`, which was read first.
   * @throws AuthError `OAuthAccountNotLinked`, `CredentialsSignin`, `StoreUnavailable`
   */
  async plan(identity: Identity, owner: FoundUser | null, session: SessionContext): Promise<SignInPlan> {
    const store = this.#store
    const policy = this.#policy
    const isStored = policy !== 'application' || this.#rules.isDatabaseSession
    if (!store || !isStored) return toKnown(identity.user, await readRow(identity.user.id, store))
    if (policy === 'stored') return planStoredUser(identity, owner)
    return policy === 'application'
      ? planApplicationUser(identity, session.principal, store, this.#rules)
      : this.#planLinkedUser(identity, owner, session, store)
  }

  /** Plans the sign-in of the user of an account or of a mailbox, by next-auth v4's linking rules. */
  async #planLinkedUser(
    identity: Identity,
    owner: FoundUser | null,
    { principal, initialUserId, isLink }: SessionContext,
    store: Store
  ): Promise<SignInPlan> {
    const { account } = identity
    const known = await this.#loadLinkingContext(identity, owner, principal, store)
    const { current } = known
    const isSomebodyElse = current && initialUserId !== undefined && initialUserId !== current.user.id
    if (principal && isSomebodyElse && known.owner?.user.id !== current.user.id)
      throw new SessionConflictError(account.provider, principal)
    const decision = decideLinking(this.#policy, known)
    if (this.#rules.concealUsers) concealUser(identity, this.#policy, { decision, known })
    if (decision.kind === 'link' && principal)
      return this.#planLink(identity, decision.found, { principal, isLink }, store)
    return toPlan(decision, identity, this.#policy)
  }

  /**
   * Loads what the linking decision depends on. Writes nothing.
   *
   * @param owner - The user of the identity, who was found before.
   * @throws AuthError `StoreUnavailable`
   */
  async #loadLinkingContext(
    identity: Identity,
    owner: FoundUser | null,
    signedIn: Principal | null,
    store: Store
  ): Promise<LinkingContext> {
    const { account, user, emailVerified } = identity
    const policy = this.#policy
    const { providers } = this.#rules
    const mayLinkByEmail = providers.get(account.provider)?.traits.mayLinkByEmail ?? false
    const stated = { isEmailVerified: emailVerified, mayLinkByEmail, isInvited: false }
    // A link signs in the owner of the mailbox; the user who is signed in in this browser is irrelevant.
    if (policy === 'mailbox') return { current: null, owner: null, userWithEmail: owner, ...stated }
    const current = signedIn && (await findSignedInUser(signedIn, store))
    const userWithEmail = owner || current ? null : await findUserByEmail(user.email, store)
    if (!userWithEmail) return { current, owner, userWithEmail, ...stated }
    // A concurrent first sign-in may have created this user with the account between the two reads.
    const ownerNow = await findUserByIdentity(identity, policy, store, this.#userVersions)
    if (ownerNow) return { current, owner: ownerNow, userWithEmail, ...stated }
    const isJoin = await this.#mayJoinByInvitation(identity, userWithEmail, store)
    return { current, owner: null, userWithEmail, ...stated, isInvited: isJoin }
  }

  /** Whether the user with the email address of this account is invited, and the account may redeem the invitation. */
  async #mayJoinByInvitation(
    { account, emailVerified }: Identity,
    { user }: FoundUser,
    { tickets }: Store
  ): Promise<boolean> {
    const { providers, now } = this.#rules
    const mayRedeem = emailVerified && (providers.get(account.provider)?.traits.mayRedeemInvitation ?? false)
    return tickets !== null && mayRedeem && isInvited(user, tickets, now())
  }

  /**
   * Plans the link of an account to the signed-in user. A store without tickets cannot keep the sign-in until the user has confirmed
   * the link.
   *
   * @throws AuthError `OAuthAccountNotLinked`
   */
  #planLink(
    identity: Identity,
    found: FoundUser,
    { principal, isLink }: { readonly principal: Principal; readonly isLink: boolean | undefined },
    store: Store
  ): SignInPlan {
    requireFreshSignIn(principal, identity, this.#rules)
    const mustConfirm = !isLink && this.#rules.signedIn === 'confirm'
    if (mustConfirm && isLink === undefined)
      throw new AuthError(
        'OAuthAccountNotLinked',
        `${identity.account.provider}: another user is signed in; sign out first`
      )
    if (mustConfirm && !store.tickets) throw new LinkConfirmation(identity, principal)
    return { kind: 'linked', ...toPlanned(found), principal, mustConfirm }
  }
}

const toKnown = (user: FoundUser['user'] | Identity['user'], row: UserVersion | null): SignInPlan => ({
  kind: 'known',
  user,
  row,
  writesTokens: false,
  verifiesAddress: false
})

/** Reads the row of a user who is not stored: they may be suspended, and their sessions may have ended. */
async function readRow(userId: string, store: Store | null): Promise<UserVersion | null> {
  if (!store?.versions) return null
  return store.versions.get(userId).catch((error: unknown) => {
    // No user of the store has this id.
    if (isInvalidUserId(error)) return noUserVersion(userId)
    throw error
  })
}

/** Plans the sign-in of a user that exists. @throws AuthError `CredentialsSignin` if the user was deleted in the meantime */
function planStoredUser({ account }: Identity, found: FoundUser | null): SignInPlan {
  if (!found) throw new AuthError('CredentialsSignin', `${account.provider}: the user does not exist`)
  return toKnown(found.user, found.version)
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
  switch (decision.kind) {
    case 'sign-in': {
      const { user, version: row } = decision.found
      const writesTokens = policy === 'link'
      return { kind: 'known', user, row, writesTokens, verifiesAddress: writesTokens && provesAddress(identity, user) }
    }
    case 'join':
      return { kind: 'joined', ...toPlanned(decision.found), isInvited: decision.isInvited }
    case 'reclaim':
      return { kind: 'reclaimed', ...toPlanned(decision.found), isInvited: decision.isInvited }
    case 'create':
      return { kind: 'created', user: null, row: null }
    default:
      throw refused(identity.account)
  }
}

const toPlanned = ({
  user,
  version: row
}: FoundUser): { readonly user: FoundUser['user']; readonly row: UserVersion } => ({
  user,
  row
})

const refused = ({ provider }: Account): AuthError =>
  new AuthError('OAuthAccountNotLinked', `${provider}: the account or its address belongs to another user`)

/**
 * Whether a linked account proves the address of its user, which nobody has proven. Nothing is removed then: the user already had
 * this account.
 */
function provesAddress({ user: person, emailVerified }: Identity, user: FoundUser['user']): boolean {
  return emailVerified && !user.emailVerified && isSameEmailAddress(user.email, person.email)
}
