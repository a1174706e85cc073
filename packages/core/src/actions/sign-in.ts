import { applyPlan, getRowChange } from '../accounts/apply-plan.ts'
import { confirmUnversioned } from '../accounts/confirm-unversioned.ts'
import { createFactors } from '../accounts/create-factors.ts'
import { findUserByIdentity, planSignIn } from '../accounts/plan-sign-in.ts'
import { verifyProvenAddress, withProvenAddress } from '../accounts/proven-address.ts'
import { nothingUnproven, prepareReclaim, reportReclaim, type Unproven } from '../accounts/reclaim.ts'
import { requireSignUp } from '../accounts/require-sign-up.ts'
import type { ResolvedUser } from '../accounts/resolved-user.ts'
import { accountChanged, createUserErrors, SignInConflict } from '../accounts/sign-in-errors.ts'
import type { SignInPlan } from '../accounts/sign-in-plan.ts'
import {
  type RowChange,
  requireStillActive,
  requireUsable,
  type SignInTransaction,
  writeSignIn
} from '../accounts/sign-in-transaction.ts'
import { UnlinkedAddressError } from '../accounts/unlinked-address.ts'
import type { FoundUser, Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { confirmLinkId } from '../features/confirm-link.ts'
import { requireSameUser, type StepUp } from '../features/step-up.ts'
import { authorizeSignIn } from '../hooks/authorize-sign-in.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type ActionResult, redirect, text } from '../http/action-result.ts'
import { type AuthRequest, wantsJson } from '../http/request.ts'
import { applicationProviderId } from '../model/application-provider.ts'
import { isPromise } from '../model/awaitable.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Provider } from '../model/provider.ts'
import { checkRequirements } from '../oauth/authentication-requirements.ts'
import { createImpersonationError } from '../sessions/impersonation.ts'
import { limitSessions } from '../sessions/limit-sessions.ts'
import type { FoundSession, StartedSession } from '../sessions/strategy.ts'
import { createConflictError, maxRestarts } from '../sessions/user-versions.ts'
import type { Proof } from '../sign-in-methods/handler.ts'
import { getHandler } from '../sign-in-methods/handlers.ts'
import { rememberDevice } from '../sign-in-methods/known-device.ts'
import { rememberMethod } from '../sign-in-methods/last-method.ts'
import { findPageAfterSignIn } from '../sign-in-methods/page-after-sign-in.ts'
import { limitCallbacks } from '../sign-in-methods/rate-limits.ts'
import { addFactors, describeSession } from './describe-session.ts'
import { unknownProvider, withQuery } from './error-response.ts'
import { findInterruptionError, interrupt } from './interrupt-sign-in.ts'
import { isNewUser } from './is-new-user.ts'
import { limitLinks, requireLinkingSession, requireLinkStays } from './link-by-session.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Run } from './route.ts'
import { showSignInMethods } from './screens.ts'
import type { SignInAttempt, VerifiedAttempt } from './sign-in-attempt.ts'
import { recordSignIn, reportSignIn } from './sign-in-events.ts'

/** What a sign-in led to: a session, an interruption that must pass first, or the URL that the callback returned. */
export interface SignInOutcome {
  readonly kind: 'signed-in' | 'pending' | 'redirect'
  readonly url: string
  readonly cookies: SetCookies
}

/** The session that was created, or the interruption that must pass first; both with their cookies. */
type SignInResult =
  | {
      readonly kind: 'signed-in'
      readonly resolved: ResolvedUser
      /** The version of the session; `null` if the adapter stores no rows of users. */
      readonly userVersion: number | null
      readonly cookies: SetCookies
    }
  | { readonly kind: 'interrupted'; readonly error: string; readonly cookies: SetCookies }

/** A plan, and what it is written with. */
interface Writing {
  readonly planned: SignInPlan
  readonly before: FoundSession | null
  readonly unproven: Unproven
  readonly change: RowChange
}

/** The user and the session of a sign-in that is written. */
interface WrittenSignIn {
  readonly resolved: ResolvedUser
  readonly session: StartedSession
  readonly userVersion: number | null
}

/** A plan that could not be written, because another change came first. */
interface FailedPlan {
  readonly planned: SignInPlan
  readonly conflict: SignInConflict
}

/** Redirects to the callback URL, or to the interruption that must pass first. */
export function toRedirect({ kind, url, cookies }: SignInOutcome): ActionResult {
  // next-auth's client reports 401 with an error in the URL as not signed in.
  return kind === 'pending' ? redirect(url, cookies, 401) : redirect(url, cookies)
}

/** Starts a sign-in with the provider that the path names. Credentials start at the form. */
export const startSignIn: Run = async (request, config, provider) => {
  if (provider) return getHandler(provider).start(provider, request, config)
  const isStep = request.path === '/signin' && !wantsJson(request) && !config.pages.signIn
  return (isStep && (await showSignInMethods(request, config))) || redirect(`${config.base}/signin`)
}

/**
 * Verifies who it is, and signs them in: verify, authorize, plan, interrupt, write, respond.
 *
 * @throws AuthError
 */
export const finishSignIn: Run = async (request, config, provider) => {
  if (!provider) return unknownProvider(request, config)
  const handler = getHandler(provider)
  const isHead = request.method === 'HEAD'
  const methods: readonly string[] = provider.traits.callbackMethods
  if (!methods.includes(isHead ? 'GET' : request.method)) {
    // next-auth answers 500. The mistake is that of who asks, as for every other method that a route does not have.
    return text(`Error: Callback for provider type ${provider.type} not supported`, 400)
  }
  // HEAD must not complete a sign-in.
  if (isHead) return text('', 200)
  await limitCallbacks(request, config)
  const verified = await handler.verify(provider, request, config)
  if (verified.kind === 'result') return verified.outcome
  const { proof } = verified
  try {
    const stepUp = await config.stepUps.read(request.cookies, proof.isStepUp)
    const attempt = { proof, provider, request, resumed: null, stepUp }
    return toRedirect(await new SignIn(attempt, config).run())
  } catch (error) {
    const cookies = await abandon(proof)
    if (error instanceof UnlinkedAddressError) await notifyOwner(error, provider, request, config)
    if (error instanceof AuthError) throw error.withCookies(cookies)
    throw new AuthError('Callback', 'the sign-in could not be completed', { cause: error, cookies })
  }
}

/**
 * A sign-in whose method has verified who it is: authorize, plan, interrupt, write, respond. Every way to sign in is
 * one.
 */
export class SignIn {
  #attempt: SignInAttempt
  readonly #config: Config

  constructor(verified: VerifiedAttempt, config: Config) {
    const { proof, resumed } = verified
    const { identity, userVersion = null } = proof
    const userId = resumed ? resumed.userId : identity.user.id
    const firstVersions = new Map(userId === null || userVersion === null ? [] : [[userId, userVersion]])
    const hasEnrolled = (resumed?.newFactors ?? []).length > 0
    this.#attempt = { ...verified, firstVersions, hasEnrolled, isRestarted: false }
    this.#config = config
  }

  /** @throws AuthError */
  async run(): Promise<SignInOutcome> {
    const { store, origin, hooks } = this.#config
    const { proof, provider, request } = this.#attempt
    await requireOwnSession(request, this.#config)
    const owner = store && (this.#getFound(store) ?? (await this.#findOwner(store)))
    if (store && !owner) await requireSignUp(proof.identity, provider)
    const ownerId = owner?.user.id ?? null
    let result: SignInResult
    try {
      const location = hooks.signIn ? await this.#authorize(hooks.signIn, owner) : null
      if (location !== null)
        return { kind: 'redirect', url: new URL(location, origin).href, cookies: await abandon(proof) }
      result = await this.#complete(owner)
    } catch (error) {
      throw error instanceof AuthError ? error.withUser(ownerId) : error
    }
    return this.#respond(result)
  }

  /** Goes on after the interruptions, without asking the `signIn` callback again. @throws AuthError */
  async resume(): Promise<SignInOutcome> {
    const { store } = this.#config
    await requireOwnSession(this.#attempt.request, this.#config)
    return this.#respond(await this.#complete(store && (await this.#findOwner(store))))
  }

  /**
   * The user of the identity, as the method has read them. Without a transaction that demands their version, they are read again, as
   * late as possible.
   */
  #getFound({ versions }: Store): FoundUser | null {
    const { proof, provider } = this.#attempt
    const { found = null, identity } = proof
    const isOwner = provider.traits.accountPolicy === 'stored' && found?.user.id === identity.user.id
    return isOwner && versions && this.#config.userVersions.begin ? found : null
  }

  /** Reads the user of the identity, before a callback runs. @throws AuthError `StoreUnavailable` */
  #findOwner(store: Store): Promise<FoundUser | null> {
    const { proof, provider } = this.#attempt
    return findUserByIdentity(proof.identity, provider.traits.accountPolicy, store, this.#config.userVersions)
  }

  /** Calls the `signIn` callback of the application. @returns Where the callback sends the browser. */
  async #authorize(signIn: NonNullable<Hooks['signIn']>, found: FoundUser | null): Promise<string | null> {
    const { errors } = this.#config
    const { proof, provider } = this.#attempt
    const { account, user } = proof.identity
    const { provider: providerId, type, providerAccountId } = account
    const { email } = user
    const owner = found?.user ?? null
    const isMailbox = provider.traits.accountPolicy === 'mailbox'
    const question = {
      user: owner ?? (isMailbox ? { ...user, emailVerified: null } : user),
      account,
      ...proof.callbackInput,
      isNewUser: await isNewUser(this.#attempt, owner, this.#config)
    }
    const granted = await authorizeSignIn(question, signIn, errors)
    if (granted.kind === 'elsewhere') return granted.location
    // The callback may change its arguments, as in next-auth v4, but not the account or the proven claims.
    const isSameAddress = user.email === email
    const identity = {
      ...proof.identity,
      account: { ...account, provider: providerId, type, providerAccountId },
      emailVerified: proof.identity.emailVerified && isSameAddress
    }
    this.#attempt = { ...this.#attempt, proof: { ...proof, identity } }
    return null
  }

  /**
   * Resolves the user and creates the session, in one transaction if the store supports it. If another change comes first,
   * everything is read and planned again: the second of two concurrent first sign-ins continues as the user of the first.
   *
   * @param first - The user of the identity, as they were read before.
   */
  async #complete(first: FoundUser | null): Promise<SignInResult> {
    const { sessionReader, isDatabaseSession, revocations, store } = this.#config
    if (!store?.transact) this.#attempt = consumingOnce(this.#attempt)
    const { provider, request } = this.#attempt
    // An account may be linked to the user of the session, or the session can be ended.
    const mayLink = store !== null && provider.traits.accountPolicy === 'link'
    const needsSession = isDatabaseSession || revocations !== null || mayLink
    let owner = first
    let last: FailedPlan | null = null
    for (let restarts = 0; restarts <= maxRestarts; restarts++) {
      const before = needsSession ? await sessionReader.read(request.cookies) : null
      const found = await this.#plan(owner, before)
      const user = last?.planned.user ?? null
      // The callback of the application has allowed the sign-in of another user, or the account is no longer theirs.
      if (user && found.user?.id !== user.id) throw accountChanged(provider.id)
      const planned: SignInPlan | null = last ? withoutRefused(found, last) : found
      if (!planned) throw toAuthError(last, provider)
      try {
        return await this.#carryOut(planned, before)
      } catch (error) {
        if (!(error instanceof SignInConflict)) throw error
        last = { planned, conflict: error }
      }
      this.#attempt = { ...this.#attempt, isRestarted: true }
      owner = store && (await this.#findOwner(store))
    }
    throw createConflictError(last?.planned.user?.id ?? null)
  }

  /**
   * Plans the sign-in, without a write.
   *
   * @throws AuthError `Callback` if an interrupted sign-in now belongs to another user
   */
  async #plan(owner: FoundUser | null, before: FoundSession | null): Promise<SignInPlan> {
    const { accountRules, store } = this.#config
    const { proof, provider, resumed, stepUp } = this.#attempt
    const { identity, initialUserId, isLink } = proof
    const isConfirmed = resumed?.passed.includes(confirmLinkId) ?? false
    const sessionContext = { principal: before?.principal ?? null, initialUserId, isLink: isConfirmed || isLink }
    const policy = provider.traits.accountPolicy
    // Only a sign-in that the application's own function names has no owner before it is planned.
    if (policy !== 'application') requireSameUser(stepUp, owner?.user.id ?? null, provider.id)
    const planned = await planSignIn({ identity, policy, owner }, sessionContext, store, accountRules)
    const userId = planned.user?.id ?? null
    requireSameUser(stepUp, userId, provider.id)
    if (resumed && resumed.userId !== userId)
      throw new AuthError(
        'Callback',
        `${provider.id}: the sign-in belongs to another user than when it was interrupted`,
        { status: 401 }
      )
    return planned
  }

  /** Writes the plan, or its interruption. @throws SignInConflict if another change came first. */
  async #carryOut(planned: SignInPlan, before: FoundSession | null): Promise<SignInResult> {
    const config = this.#config
    const attempt = this.#attempt
    const firstVersion = requireUsable(attempt, planned, config.store)
    if (planned.row && firstVersion !== null && !config.isDatabaseSession)
      await config.userVersions.requireLive(planned.row.userId, firstVersion)
    const mayInterrupt = config.features.hasInterruptions || planned.kind === 'linked'
    const error = mayInterrupt ? await findInterruptionError(attempt, planned, config) : null
    if (error !== null)
      return { kind: 'interrupted', error, cookies: await interrupt(attempt, planned, firstVersion, config) }
    if (attempt.stepUp && attempt.provider.kind === 'oauth') this.#requireRecent(attempt.stepUp)
    if (planned.kind === 'linked') await limitLinks(attempt, planned, config)
    // A transaction requires the row of a database session.
    if (planned.kind === 'linked' && !config.isDatabaseSession) await requireLinkingSession(attempt, planned, config)
    const { account } = attempt.proof.identity
    const unproven =
      planned.kind === 'reclaimed'
        ? await prepareReclaim(planned.user, account, config.userVersions, config.accountRules)
        : nothingUnproven
    const change = getRowChange(planned, attempt)
    const keep = attempt.hasEnrolled ? await this.#findKept(planned) : null
    const read = { user: planned.user, verificationToken: attempt.proof.oneTimeToken?.getRead?.() ?? null }
    const about = { row: planned.row, change, firstVersion, read }
    const write = (transaction: SignInTransaction) => this.#write({ planned, before, unproven, change }, transaction)
    const written = await writeSignIn(about, write, config.userVersions, config.emit)
    const result = await this.#finish(written)
    return keep ? { ...result, cookies: joinCookies(result.cookies, await keep(written.userVersion ?? 0)) } : result
  }

  /**
   * Checks that a step-up at a provider is as recent as the guard requires. The interruptions come first: a second factor that was
   * just given is recent, whatever the provider has stated.
   *
   * @throws AuthError `UnmetRequirements`
   */
  #requireRecent(stepUp: StepUp): void {
    const { oauth, runtime } = this.#config
    const { proof, resumed } = this.#attempt
    const proven = proof.authentication
    const { authTime, provider: reported } = resumed ? addFactors(proven, resumed, runtime.now()) : proven
    checkRequirements({ ...reported, authTime }, { maxAge: stepUp.maxAge }, oauth)
  }

  /** What features keep of this browser when an enrolled factor ends the sessions. A reclaim ends all of it. */
  async #findKept({ user, kind }: SignInPlan): Promise<((version: number) => Promise<SetCookies>) | null> {
    const { features, hasSecureCookies } = this.#config
    if (!user || kind === 'reclaimed') return null
    return features.keepBrowser(user.id, { cookies: this.#attempt.request.cookies, hasSecureCookies })
  }

  /** Writes the user, and then the session. A token that a transaction was to consume is not consumed if that fails. */
  async #write(writing: Writing, transaction: SignInTransaction): Promise<WrittenSignIn> {
    const config = this.#config
    const attempt = this.#attempt
    const { sessions, store } = config
    let session: StartedSession | null = null
    try {
      const resolved = transaction.store
        ? await this.#writeUser(writing, transaction, transaction.store)
        : this.#resolveUnstored(writing.planned)
      if (!transaction.isTransaction) {
        // A session that began before would end, too. Any other change is complete when it has replaced the session.
        if (writing.change === 'raises') await transaction.commit()
        if (resolved.kind === 'linked') await requireLinkStays(attempt, resolved, config)
      }
      const description = await describeSession(attempt, { resolved, before: writing.before, transaction }, config)
      session = await sessions.start(description, writing.before, attempt.request.cookies)
      const written = { resolved, session, userVersion: transaction.version }
      if (config.features.onEvent) await recordSignIn(attempt, written, transaction, config)
      await transaction.commit()
      const isRequired = store?.versions && transaction.isTransaction
      if (store && !isRequired) await this.#confirm(written, store)
      return written
    } catch (error) {
      if (transaction.isPending) attempt.proof.oneTimeToken?.discard()
      else if (session) await sessions.discard(session)
      throw error
    }
  }

  /** Signs in, links or creates the user, with their factors and what ends. */
  async #writeUser(
    { planned, before, unproven, change }: Writing,
    transaction: SignInTransaction,
    store: Store
  ): Promise<ResolvedUser> {
    const { accountRules: rules, isDatabaseSession } = this.#config
    const { proof, provider, resumed, isRestarted } = this.#attempt
    const identity = resumed ? withProvenAddress(proof.identity, planned.kind, resumed) : proof.identity
    await proof.oneTimeToken?.consume(store)
    const policy = provider.traits.accountPolicy
    const resolved = await applyPlan(planned, identity, { policy, transaction, store, rules, unproven, isRestarted })
    const isNewOwner = resolved.kind === 'created' || resolved.kind === 'reclaimed'
    const factors = [...((isNewOwner && proof.newUserFactors) || []), ...(resumed?.newFactors ?? [])]
    if (factors.length > 0) await createFactors(resolved.user.id, factors, store, rules.now())
    if (resumed) await verifyProvenAddress(resolved, resumed, store, { provider, now: rules.now })
    await proof.oneTimeToken?.markUsed?.(store)
    // The transaction requires the session that has allowed a link.
    const kept = planned.kind === 'linked' && isDatabaseSession ? before?.handle : null
    if (change === 'raises') await store.deleteSessions?.(resolved.user.id, kept ?? undefined)
    return resolved
  }

  /** The user of a sign-in without a store: the one that the method has proven. */
  #resolveUnstored(planned: SignInPlan): ResolvedUser {
    const { identity } = this.#attempt.proof
    const user = planned.user ?? identity.user
    return { kind: 'known', user, account: { ...identity.account, userId: user.id } }
  }

  /** Checks what no transaction has required. */
  async #confirm({ resolved, userVersion }: WrittenSignIn, store: Store): Promise<void> {
    const { accountRules, isDatabaseSession } = this.#config
    if (store.versions) return requireStillActive(this.#attempt, resolved, userVersion, store)
    const { proof, provider } = this.#attempt
    const policy = provider.traits.accountPolicy
    if (policy === 'application' && !isDatabaseSession) return
    const { identity, submittedAt } = proof
    await confirmUnversioned({ identity, policy, submittedAt }, resolved, store, accountRules)
  }

  /** Completes a session that is written. */
  async #finish({ resolved, session, userVersion }: WrittenSignIn): Promise<SignInResult> {
    const config = this.#config
    const { store, sessions, accountRules } = config
    const { kind, user, account } = resolved
    let cookies: SetCookies
    try {
      if (store && kind === 'reclaimed') await reportReclaim(user, account, store, accountRules)
      cookies = await session.complete()
    } catch (error) {
      await sessions.discard(session)
      throw error
    }
    const { maxSessionsPerUser: max } = config
    if (max !== null) await limitSessions(user.id, session, max, config)
    if (config.features.afterEvent) await reportSignIn(this.#attempt, resolved, session.id, config)
    // A CSRF token from before the change of principal must not remain valid.
    const issued = config.csrf.issue()
    const csrf = isPromise(issued) ? await issued : issued
    return { kind: 'signed-in', resolved, userVersion, cookies: joinCookies(cookies, csrf.cookies) }
  }

  /** Continues at the callback URL, or at the interruption that must pass first. */
  async #respond(result: SignInResult): Promise<SignInOutcome> {
    const config = this.#config
    const { proof, provider, request, resumed } = this.#attempt
    if (result.kind === 'interrupted') {
      const url = `${config.base}/verify?error=${result.error}`
      return { kind: 'pending', url, cookies: joinCookies(proof.cookies, result.cookies) }
    }
    const { resolved, userVersion, cookies } = result
    const { kind, user, account } = resolved
    const { identity, names } = proof
    const isStored = provider.traits.accountPolicy !== 'application'
    const profile = identity.profile ? { profile: identity.user } : {}
    await config.emit(
      'signIn',
      isStored ? { user, account, isNewUser: kind === 'created', ...profile } : { user, account }
    )
    const { callbackUrl, cookies: remembered } = await config.redirects.resolve(request, proof.callbackUrl)
    // The browser does not send the cookie to the pages of the application.
    const isOwnPage = provider.id === applicationProviderId && resumed === null
    const isHidden = isOwnPage && !request.cookies.has(config.cookies.device.name)
    const device = await rememberDevice(user, { identity, names, isHidden, userVersion }, request.cookies, config)
    const method = rememberMethod(provider.id, request.cookies, config)
    const cleared = config.stepUps.clear(request.cookies)
    return {
      kind: 'signed-in',
      url: await this.#getNextPage(resolved, callbackUrl),
      cookies: joinCookies(proof.cookies, cookies, remembered, device, method, cleared)
    }
  }

  /** The page of a new user, after that of a feature, if there is one. */
  async #getNextPage({ kind, user, account }: ResolvedUser, callbackUrl: string): Promise<string> {
    const { pages, base, origin } = this.#config
    const { request, resumed, stepUp } = this.#attempt
    const welcome = kind === 'created' ? pages.newUser : null
    const url =
      welcome === null
        ? callbackUrl
        : withQuery(welcome === true ? `${base}/welcome` : welcome, { callbackUrl }, origin)
    if (stepUp || kind === 'linked') return url
    const { provider, type } = account
    const signIn = { user, isNewUser: kind === 'created', account: { provider, type }, factors: resumed?.factors ?? [] }
    const path = await findPageAfterSignIn(signIn, request, this.#config)
    return path === null ? url : withQuery(base + path, { callbackUrl: url }, origin)
  }
}

/** Ends a failed sign-in: a link is restored and stays valid, a pending OAuth sign-in is consumed. */
export async function abandon({ oneTimeToken, cookies }: Proof): Promise<SetCookies> {
  await oneTimeToken?.restore().catch(() => undefined)
  return oneTimeToken ? noCookies : cookies
}

/**
 * Refuses a sign-in in a browser in which a user impersonates another: it could link an account to that user, or be
 * mistaken for a sign-in of that user.
 *
 * @throws AuthError `ImpersonationForbidden`, `StoreUnavailable`
 */
export async function requireOwnSession(
  { cookies }: Pick<AuthRequest, 'cookies'>,
  { sessionReader, isDatabaseSession, revocations }: Config
): Promise<void> {
  // Without stored revocations, there are no impersonations in JWT sessions.
  if ((isDatabaseSession || revocations !== null) && (await sessionReader.readImpersonation(cookies)))
    throw createImpersonationError('a sign-in')
}

/** Without a transaction, a token stays consumed, whatever follows: a sign-in that begins again must not consume it twice. */
function consumingOnce(attempt: SignInAttempt): SignInAttempt {
  const { oneTimeToken } = attempt.proof
  if (!oneTimeToken) return attempt
  let isConsumed = false
  const consume = async (store: Store): Promise<void> => {
    if (!isConsumed) await oneTimeToken.consume(store)
    isConsumed = true
  }
  return { ...attempt, proof: { ...attempt.proof, oneTimeToken: { ...oneTimeToken, consume } } }
}

/**
 * Leaves out what the store has refused, and would refuse again: tokens that are too long for their columns do not prevent a
 * sign-in.
 *
 * @returns `null` if nothing is left.
 */
function withoutRefused(planned: SignInPlan, last: FailedPlan | null): SignInPlan | null {
  if (!last?.conflict.reason || planned.kind !== last.planned.kind) return planned
  if (planned.kind !== 'known' || last.planned.kind !== 'known' || !last.planned.writesTokens) return null
  return { ...planned, writesTokens: false }
}

/** Converts the error of a sign-in that the store refuses, with next-auth v4's codes for a new user. */
function toAuthError(last: FailedPlan | null, { traits }: Provider): AuthError {
  const reason = last?.conflict.reason ?? null
  if (!reason) return createConflictError(null)
  if (reason.isOutage || last?.planned.kind !== 'created') return reason
  return new AuthError(createUserErrors[traits.accountPolicy], reason.message, { cause: reason })
}
