import {
  accountChanged,
  finishClaim,
  removeLinked,
  requireLinked,
  requireNotEnded,
  requireNotRevoked,
  requireSameAddress,
  requireSessionBefore,
  requireUnclaimed,
  requireUsableAccount,
  requireUser
} from '../accounts/confirm-sign-in.ts'
import { findUserByIdentity } from '../accounts/find-user.ts'
import { limitSessions, type SessionLimitDeps } from '../accounts/limit-sessions.ts'
import { planSignIn } from '../accounts/plan-sign-in.ts'
import { type ResolvedUser, resolvedUser } from '../accounts/resolved-user.ts'
import { SignInConflict } from '../accounts/sign-in-conflict.ts'
import type { SignInPlan } from '../accounts/sign-in-plan.ts'
import {
  createSignInTransaction,
  type SignInTransaction,
  TransactionAbortedError,
  toAuthError,
  withoutTransaction
} from '../accounts/sign-in-transaction.ts'
import { requireActiveUser } from '../accounts/suspension.ts'
import type { AdapterUser } from '../adapter/adapter.ts'
import { getSessionsMark } from '../adapter/claim-marker.ts'
import { type EndedSessionsMark, getEndedSessionsMark } from '../adapter/ended-sessions.ts'
import type { FactorKey } from '../adapter/factor.ts'
import {
  claimEpochKinds,
  claimKinds,
  readSignInMarkers,
  revocationKinds,
  type SignInMarkerKind,
  type SignInMarkers
} from '../adapter/sign-in-markers.ts'
import type { Store } from '../adapter/store.ts'
import { accountMarkerKeys, isOutdatedLink, settleLink } from '../adapter/unsettled-link.ts'
import type { Config } from '../config/config.ts'
import { applyCookies, joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { freshCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { confirmLinkId, hasOwnInterruptions } from '../features/confirm-link.ts'
import type { PendingSignIn } from '../features/feature.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import { requireSameUser, type StepUp } from '../features/step-up.ts'
import {
  addRecords,
  applyCalls,
  applyChanges,
  createSecurityEvent,
  type SecurityEvent
} from '../hooks/security-event.ts'
import { parseSessionLifetime, type Remembered } from '../hooks/session-lifetime.ts'
import type { AuthRequest } from '../http/request.ts'
import {
  type AuthenticationContext,
  toAuthentication,
  toContext,
  unknownAuthentication,
  withFactors
} from '../model/authentication.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Provider } from '../model/provider.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import type { User } from '../model/user.ts'
import { checkRequirements } from '../oauth/authentication-requirements.ts'
import { resolveCallbackUrl } from '../redirects/callback-url.ts'
import { getClientInfo } from '../sessions/client-info.ts'
import { refuseActor } from '../sessions/impersonation.ts'
import { storedSessionId } from '../sessions/session-metadata.ts'
import type { ContinuedSession, CreatedSession, FoundSession, NewSession } from '../sessions/strategy.ts'
import type { Proof } from '../sign-in-methods/handler.ts'
import { findDueInterruption, readLinkingSession, toPendingSignIn } from '../sign-in-methods/interruptions.ts'
import { canRemember, findDeviceByUser, type KnownDeviceDeps } from '../sign-in-methods/known-device.ts'

/** A verified proof, and the context of its sign-in. */
export interface SignInAttempt {
  readonly proof: Proof
  readonly provider: Provider
  readonly request: AuthRequest
  /** The interrupted sign-in that continues; `null` for a new one. */
  readonly resumed: PendingSignInState | null
  /** The user who has to authenticate again; `null` for any other sign-in. */
  readonly stepUp: StepUp | null
}

/** The result of the first read, and the transaction that the sign-in writes to. */
export interface Lookup {
  /** The user of the identity; `null` if there is none, or if nothing is stored. */
  readonly owner: AdapterUser | null
  readonly work: SignInTransaction
}

/** The session that was created, or the interruption that must pass first; both with their cookies. */
export type SignInResult =
  | {
      readonly kind: 'signed-in'
      readonly resolvedUser: ResolvedUser
      /** Names the ends of the user's sessions before the sign-in; `null` if they were not read. */
      readonly sessionsMark: string | null
      readonly cookies: SetCookies
    }
  | { readonly kind: 'interrupted'; readonly error: string; readonly cookies: SetCookies }

/** What an interrupted sign-in is stored with. */
type InterruptDeps = Pick<Config, 'pendingSignIns' | 'redirects' | 'resolveUserDeps' | 'store'>

/** What a sign-in is checked with after it was written. */
type SettleDeps = Pick<
  Config,
  'emit' | 'isDatabaseSession' | 'resolveUserDeps' | 'sessionManager' | 'sessions' | 'store'
>

/** What the earlier session of the browser is read with. */
type SessionBeforeDeps = Pick<Config, 'isDatabaseSession' | 'revocations' | 'sessionReader'>

/** What the completion of a sign-in depends on. */
export type CompleteSignInDeps = InterruptDeps &
  SettleDeps &
  SessionBeforeDeps &
  SessionLimitDeps &
  KnownDeviceDeps &
  Pick<Config, 'constants' | 'csrf' | 'featureRequestDeps' | 'features' | 'hooks' | 'logger' | 'oauth' | 'runtime'>

/** The maximum number of transactions; after that, the writes are made one after another. */
const maxTransactions = 3

/** Reads the user of the identity, before a callback runs or a row is written. @throws AuthError `StoreUnavailable` */
export async function lookUp({ proof, provider }: SignInAttempt, work: SignInTransaction): Promise<Lookup> {
  return {
    owner: work.store && (await findUserByIdentity(proof.identity, provider.traits.accountPolicy, work.store)),
    work
  }
}

/**
 * Returns the user that the `signIn` callback receives: the owner of the account or of the mailbox, otherwise the
 * proven profile.
 */
export function getCallbackUser({ proof, provider }: SignInAttempt, owner: AdapterUser | null): User {
  const { user } = proof.identity
  return owner ?? (provider.traits.accountPolicy === 'mailbox' ? { ...user, emailVerified: null } : user)
}

/**
 * Plans the sign-in, without a write.
 *
 * @throws AuthError `Callback` if an interrupted sign-in now belongs to another user
 */
async function plan(
  { proof: { identity, initialUserId, isLink }, provider, resumed, stepUp }: SignInAttempt,
  { owner, work: { store, emit, isPending } }: Lookup,
  before: FoundSession | null,
  { resolveUserDeps }: Pick<Config, 'resolveUserDeps'>
): Promise<SignInPlan> {
  const isConfirmed = resumed?.passed.includes(confirmLinkId) ?? false
  const sessionContext = { principal: before?.principal ?? null, initialUserId, isLink: isConfirmed || isLink }
  const policy = provider.traits.accountPolicy
  // Only a sign-in that the application's own function names has no owner before it is planned.
  if (policy !== 'application') requireSameUser(stepUp, owner?.id ?? null, provider.id)
  const planned = await planSignIn(identity, owner, sessionContext, {
    ...{ ...resolveUserDeps, policy, store, emit },
    isTransaction: isPending()
  })
  requireSameUser(stepUp, planned.user?.id ?? null, provider.id)
  if (resumed && resumed.userId !== (planned.user?.id ?? null))
    throw new AuthError(
      'Callback',
      `${provider.id}: the sign-in belongs to another user than when it was interrupted`,
      { status: 401 }
    )
  return planned
}

/** The link that the signed-in user must confirm, as the page names it. */
function getPendingLink({ provider }: SignInAttempt, { linksTo }: SignInPlan): PendingSignIn['link'] {
  return linksTo && { user: { name: linksTo.name, email: linksTo.email }, provider: provider.name }
}

/** Whether a factor that is added during the sign-in may refuse it. */
const asksInterruptions = ({ resumed }: SignInAttempt, { hasInterruptions }: Config['resolveUserDeps']): boolean =>
  resumed !== null || hasInterruptions

/** The markers that may refuse a sign-in. */
const getMarkerKinds = ({
  mayBeClaimed = false,
  mayBeRevoked = false,
  hasAccount = false,
  namesSessions = false
}): readonly SignInMarkerKind[] => [
  'suspension',
  ...(hasAccount ? claimEpochKinds : []),
  ...(mayBeClaimed || namesSessions ? [...claimKinds, ...revocationKinds] : []),
  ...(mayBeRevoked ? (['ended-sessions'] as const) : [])
]

/** What a sign-in has read of the ends of the user's sessions. */
interface SessionMarks {
  readonly endedSessions: EndedSessionsMark
  /** `null` if they were not read. */
  readonly sessionsMark: string | null
}

/**
 * Checks that the user is not suspended and the account is not being linked, and reads the marks of the ends of the user's sessions,
 * before the interruptions are asked, and before anything is written.
 *
 * @throws AuthError `UserSuspended`, `OAuthAccountNotLinked`, `StoreUnavailable`
 */
async function checkUser(
  attempt: SignInAttempt,
  planned: SignInPlan,
  { store }: SignInTransaction,
  deps: Pick<Config, 'limits' | 'resolveUserDeps' | 'store'>
): Promise<SessionMarks> {
  const { provider, resumed, proof } = attempt
  const { user } = planned
  const { now } = deps.resolveUserDeps
  // That of the first interruption stays: the sessions may have ended since.
  const mayBeRevoked = !resumed && (planned.isSessionLink === true || asksInterruptions(attempt, deps.resolveUserDeps))
  const hasAccount = user !== null && planned.hasAccount === true
  const ofAccount = hasAccount ? await accountMarkerKeys(proof.identity.account, user.id) : []
  // The browser becomes a known device. The query for a suspension reads them too.
  const namesSessions = user !== null && canRemember(deps) && store?.tickets?.readsAtOnce === true
  const kinds = getMarkerKinds({ mayBeRevoked, hasAccount, namesSessions })
  const markers = await readSignInMarkers(user, kinds, store, ofAccount)
  requireActiveUser(user, provider.id, markers)
  if (hasAccount && deps.store)
    await requireUsableAccount(proof.identity, { user, markers }, { store: deps.store, now })
  const current = mayBeRevoked ? getEndedSessionsMark(markers) : null
  return {
    endedSessions: resumed ? (resumed.endedSessions ?? null) : current,
    sessionsMark: namesSessions ? getSessionsMark(markers) : null
  }
}

/** The plan of a sign-in that is interrupted, and the error code of the interruption. */
interface Interrupted {
  readonly planned: SignInPlan
  readonly error: string
  readonly endedSessions: EndedSessionsMark
}

/** Stores the sign-in until its interruptions have passed. The proof is consumed; nothing else is written. */
async function interrupt(
  attempt: SignInAttempt,
  { planned, error, endedSessions }: Interrupted,
  work: SignInTransaction,
  deps: InterruptDeps
): Promise<SignInResult> {
  const { pendingSignIns, resolveUserDeps, redirects, store } = deps
  const { proof, provider, request, resumed, stepUp } = attempt
  const { user } = planned
  if (!work.store || !store) throw new TypeError('expected an adapter that stores tickets')
  const { identity, authentication, names, initialUserId, isLink, submittedAt, storedInput } = proof
  const { callbackUrl } = await resolveCallbackUrl(withCallbackUrl(request, proof), redirects)
  const state = {
    ...{ identity, authentication, names, initialUserId, isLink, submittedAt, callbackUrl },
    callbackInput: storedInput,
    newUserFactors: proof.newUserFactors ?? [],
    isForgotten: proof.isForgotten ?? false,
    providerId: provider.id,
    accountPolicy: provider.traits.accountPolicy,
    userId: user?.id ?? null,
    endedSessions,
    passed: resumed?.passed ?? [],
    factors: resumed?.factors ?? [],
    newFactors: resumed?.newFactors ?? [],
    provenAddress: resumed?.provenAddress ?? null,
    link: getPendingLink(attempt, planned),
    isClaim: planned.isClaim ?? false,
    isSessionLink: planned.isSessionLink ?? false,
    stepUp
  }
  const { key, cookies } = await pendingSignIns.create(state, work.store)
  await work.commit()
  try {
    const { canEndSessions, now } = resolveUserDeps
    const mayBeClaimed = submittedAt !== null && canEndSessions
    const markers = await readSignInMarkers(user, getMarkerKinds({ mayBeClaimed }), store)
    requireActiveUser(user, provider.id, markers)
    if (mayBeClaimed && user) {
      const resolved = resolvedUser(user, identity.account)
      await requireUnclaimed(identity, resolved, store, { submittedAt, continuedAt: proof.continuedAt, now, markers })
    }
  } catch (problem) {
    await store.tickets?.consume(key)
    throw problem
  }
  return { kind: 'interrupted', error, cookies }
}

/** A sign-in that is written. */
interface WrittenSignIn extends Pick<SignInTransaction, 'isTransaction'> {
  readonly resolved: ResolvedUser
  readonly session: CreatedSession
  readonly endedSessions: EndedSessionsMark
  readonly created: readonly FactorKey[]
}

/** Checks that nothing has ended the sign-in, or its account, since it began, and settles a link. */
async function confirmWrittenSignIn(
  attempt: SignInAttempt,
  { resolved, isTransaction, endedSessions }: WrittenSignIn,
  store: Store,
  { resolveUserDeps, sessionManager, isDatabaseSession }: SettleDeps
): Promise<void> {
  const { proof, provider } = attempt
  const { identity, submittedAt } = proof
  const { account } = identity
  const { canEndSessions, now } = resolveUserDeps
  const mayBeClaimed = submittedAt !== null && canEndSessions
  const mayBeRevoked = !resolved.isNewUser && asksInterruptions(attempt, resolveUserDeps)
  // The owner may have claimed a new user, whose account is connected again late.
  const isOfNewUser = resolved.isNewUser && resolved.confirmBy === 'owner' && !(isTransaction && isDatabaseSession)
  const mayBeUnsettled = resolved.confirmBy === 'tokens' || resolved.confirmBy === 'account' || isOfNewUser
  const ofAccount = mayBeUnsettled ? await accountMarkerKeys(account, resolved.user.id) : []
  const kinds = getMarkerKinds({ mayBeClaimed, mayBeRevoked, hasAccount: mayBeUnsettled })
  const removalDeps = { store, sessionManager, now }
  const readMarkers = async (): Promise<SignInMarkers> => {
    const markers = await readSignInMarkers(resolved.user, kinds, store, ofAccount)
    requireActiveUser(resolved.user, provider.id, markers)
    if (mayBeClaimed)
      await requireUnclaimed(identity, resolved, store, { submittedAt, continuedAt: proof.continuedAt, now, markers })
    // A second factor that was added since has ended the sessions: interruptions were asked before it existed.
    if (mayBeRevoked) requireNotRevoked(identity, markers, endedSessions)
    return markers
  }
  const { linkMarker } = resolved
  // Another sign-in may have removed the account again.
  const mayBeRemoved = linkMarker !== null && (linkMarker.abandoned.length > 0 || isOutdatedLink(linkMarker, now()))
  // A transaction that also wrote the session needs no confirmation.
  const isConfirmed = isTransaction && isDatabaseSession && resolved.confirmBy === 'owner' && !mayBeRemoved
  const confirm = async (): Promise<void> => (isConfirmed ? undefined : requireLinked(identity, resolved, store))
  // The account is found first, and then its markers: one of both shows a link that is removed again meanwhile.
  if (mayBeUnsettled) await confirm()
  const markers = await readMarkers().catch(async (error: unknown) => {
    if (resolved.needsBefore) await removeLinked(identity, resolved, removalDeps)
    throw error
  })
  if (resolved.needsBefore) {
    if (canEndSessions) await requireNotEnded(identity, resolved, endedSessions, removalDeps)
    const linked = { account, userId: resolved.user.id }
    if (!(await settleLink(linkMarker, linked, { store, now: now() }))) throw accountChanged(identity)
  }
  if (mayBeUnsettled) await requireUsableAccount(identity, { user: resolved.user, markers }, { store, now })
  else await confirm()
  if (!isDatabaseSession && ['mailbox', 'stored'].includes(provider.traits.accountPolicy))
    await requireUser(identity, resolved, store)
}

/** Reverts a sign-in whose account was removed, and removes what others added to a user during a claim. */
async function settle(attempt: SignInAttempt, written: WrittenSignIn, deps: SettleDeps): Promise<void> {
  const { resolveUserDeps, store, emit, sessions, isDatabaseSession } = deps
  const { resolved, session, isTransaction, created } = written
  if (!store) return
  try {
    await confirmWrittenSignIn(attempt, written, store, deps)
    // Otherwise the claim is finished before the session is created.
    if (resolved.isClaim && isTransaction && isDatabaseSession)
      await finishClaim(
        attempt.proof.identity,
        resolved,
        { handle: session.handle, factors: created },
        { ...resolveUserDeps, store, emit }
      )
  } catch (error) {
    await sessions.discard(session)
    throw error
  }
}

/** Reads the session of the browser if an account may be linked to its user, or if it can be ended. */
async function sessionBefore(
  { provider, request }: SignInAttempt,
  { store }: SignInTransaction,
  { sessionReader, isDatabaseSession, revocations }: SessionBeforeDeps
): Promise<FoundSession | null> {
  const isAsked =
    isDatabaseSession || revocations !== null || (store !== null && provider.traits.accountPolicy === 'link')
  return isAsked ? sessionReader.read(request.cookies) : null
}

/** What the writes of features are made with. */
type FeatureEventDeps = Pick<Config, 'features' | 'isDatabaseSession' | 'logger' | 'runtime' | 'sessions' | 'store'>

function createSignInEvent(
  type: SecurityEvent['type'],
  { request }: SignInAttempt,
  { user, account, isNewUser }: ResolvedUser,
  { runtime }: FeatureEventDeps
): SecurityEvent {
  const { provider, providerAccountId } = account
  const about = { type, userId: user.id, isNewUser, account: { provider, providerAccountId }, request }
  return createSecurityEvent(about, runtime.now)
}

/**
 * Creates the factors that were enrolled during the sign-in, and those of a new or claimed user, in the transaction of the sign-in if
 * there is one.
 *
 * @returns What was created.
 */
async function createFactors(
  { proof: { newUserFactors = [] }, resumed }: SignInAttempt,
  { user, isNewUser, isClaim }: ResolvedUser,
  { store }: SignInTransaction,
  { runtime }: Pick<Config, 'runtime'>
): Promise<readonly FactorKey[]> {
  const about = { userId: user.id, createdAt: new Date(runtime.now()), lastUsedAt: null, version: 0 }
  const factors = [...(isNewUser || isClaim ? newUserFactors : []), ...(resumed?.newFactors ?? [])].map(
    ({ id = user.id, type, name, data }) => ({ type, id, name, data, ...about })
  )
  for (const factor of factors) await store?.factors?.create(factor)
  return factors.map(({ type, id }) => ({ type, id }))
}

/** Whether factors were enrolled during the sign-in. */
const hasEnrolled = ({ resumed }: SignInAttempt): boolean => (resumed?.newFactors ?? []).length > 0

/** The changes of a sign-in, apart from the new session. */
function getChanges(attempt: SignInAttempt, { isClaim, isLinked }: ResolvedUser): readonly SecurityEvent['type'][] {
  return [
    ...(isClaim ? (['claim'] as const) : []),
    ...(isLinked ? (['link'] as const) : []),
    ...(hasEnrolled(attempt) ? (['enroll'] as const) : [])
  ]
}

/** Writes what features write for a claim, a link or an enrollment, in the transaction of the sign-in if there is one. */
async function recordChanges(
  attempt: SignInAttempt,
  resolved: ResolvedUser,
  { store }: SignInTransaction,
  deps: FeatureEventDeps
): Promise<void> {
  const { onEvent } = deps.features
  if (!store || !onEvent) return
  for (const type of getChanges(attempt, resolved))
    await applyCalls(onEvent(createSignInEvent(type, attempt, resolved, deps)), store)
}

/**
 * Writes what features write for a sign-in: in its transaction, if it also writes the session.
 *
 * @returns What is left to write after the sign-in is settled; it ends the session if it fails.
 */
async function recordSignIn(
  attempt: SignInAttempt,
  { resolved, session }: { readonly resolved: ResolvedUser; readonly session: CreatedSession },
  work: SignInTransaction,
  deps: FeatureEventDeps
): Promise<(() => Promise<void>) | null> {
  const { features, store, sessions, logger } = deps
  const { onEvent } = features
  if (!onEvent || !store) return null
  const sessionId = session.handle && deps.isDatabaseSession ? await storedSessionId(session.handle) : session.handle
  const calls = onEvent({ ...createSignInEvent('sign-in', attempt, resolved, deps), sessionId })
  if (work.store && work.isPending()) {
    await applyCalls(calls, work.store)
    return null
  }
  return async () => {
    await applyChanges(calls, store).catch(async (error: unknown) => {
      await sessions.discard(session)
      throw error
    })
    await addRecords(calls, { store, logger })
  }
}

/** Calls the features after the sign-in has been written. */
async function reportSignIn(
  attempt: SignInAttempt,
  { resolved, session }: { readonly resolved: ResolvedUser; readonly session: CreatedSession },
  deps: FeatureEventDeps & KnownDeviceDeps
): Promise<void> {
  const { afterEvent } = deps.features
  if (!afterEvent) return
  for (const type of getChanges(attempt, resolved)) afterEvent(createSignInEvent(type, attempt, resolved, deps))
  const sessionId = session.handle && deps.isDatabaseSession ? await storedSessionId(session.handle) : session.handle
  const device = deps.limits && (await findDeviceByUser(resolved.user.id, attempt.request.cookies, deps))
  const isKnownDevice = deps.limits === null ? null : device !== null
  afterEvent({ ...createSignInEvent('sign-in', attempt, resolved, deps), sessionId, isKnownDevice })
}

/** Adds the factors that the interruptions of a sign-in have verified. */
function addFactors(
  context: AuthenticationContext,
  resumed: SignInAttempt['resumed'],
  now: number
): AuthenticationContext {
  const { factors = [], newFactors = [] } = resumed ?? {}
  return withFactors(context, factors, newFactors.length > 0 ? null : Math.floor(now / 1000))
}

/**
 * Checks that a step-up at a provider is as recent as the guard requires. The interruptions come first: a second factor that was just
 * given is recent, whatever the provider has stated.
 *
 * @throws AuthError `UnmetRequirements`
 */
function requireRecent(
  { proof: { authentication }, provider, resumed, stepUp }: SignInAttempt,
  { oauth, runtime }: Pick<Config, 'oauth' | 'runtime'>
): void {
  if (provider.kind !== 'oauth' || !stepUp) return
  const { authTime, provider: reported } = addFactors(authentication, resumed, runtime.now())
  checkRequirements({ ...reported, authTime }, { maxAge: stepUp.maxAge }, oauth)
}

/**
 * How the user of a new session was authenticated. An account that was just linked proves nothing about the user whose session
 * allowed it: the new session continues that one.
 */
async function getAuthentication(
  { proof, request, resumed }: SignInAttempt,
  { account, needsBefore }: ResolvedUser,
  { sessionReader, runtime }: Pick<Config, 'runtime' | 'sessionReader'>
): Promise<AuthenticationContext> {
  const continued = needsBefore ? await sessionReader.readAuthentication(request.cookies) : null
  const unknown = unknownAuthentication(account.provider)
  const own = continued ? toContext(continued, account.provider) : needsBefore ? unknown : proof.authentication
  return addFactors(own, resumed, runtime.now())
}

/** What the session is found with that a new one continues. */
type ContinueDeps = Pick<Config, 'isDatabaseSession' | 'runtime' | 'sessionManager' | 'sessionReader' | 'store'>

/** Finds what a new session continues, if the earlier session allowed the sign-in. */
async function findContinued(
  { proof, request }: SignInAttempt,
  resolved: ResolvedUser,
  { work, before }: { readonly work: SignInTransaction; readonly before: FoundSession | null },
  { store, isDatabaseSession, runtime, sessionManager, sessionReader }: ContinueDeps
): Promise<ContinuedSession | null> {
  if (!resolved.needsBefore) return null
  const handle = before?.handle ?? null
  const id = handle !== null && isDatabaseSession ? await storedSessionId(handle) : handle
  const [record = null] = (id !== null && (await store?.getSessionRecords?.({ id }))) || []
  // A transaction includes this check. Without tickets, a refusal could remove an account that another tab has confirmed.
  const isChecked = isDatabaseSession && (work.isPending() || !store?.tickets)
  const confirm = async (): Promise<void> => {
    const { cookies } = request
    const deps = { sessionManager, finder: sessionReader, cookies, now: runtime.now }
    if (store && !isChecked) await requireSessionBefore(proof.identity, resolved, { ...deps, store })
  }
  return { startedAt: before?.principal?.signedInAt ?? null, record, confirm }
}

/** What the description of a new session depends on. */
type DescribeDeps = ContinueDeps & Pick<Config, 'features' | 'hooks'>

/** Asks the application and the features about the session to create. */
async function describeSession(
  attempt: SignInAttempt,
  resolved: ResolvedUser,
  { work, before }: { readonly work: SignInTransaction; readonly before: FoundSession | null },
  deps: DescribeDeps
): Promise<NewSession> {
  const { hooks, features, store } = deps
  const { proof, request } = attempt
  const { user, account, isNewUser } = resolved
  const { identity, callbackInput, isForgotten = false } = proof
  const remember = async (): Promise<Remembered> =>
    hooks.remember && !isForgotten
      ? parseSessionLifetime(await hooks.remember({ user, account: { ...account }, isNewUser, ...callbackInput }))
      : parseSessionLifetime(!isForgotten)
  const kept = resolved.needsBefore && before ? before.remembered : null
  const remembered = kept ?? (await remember())
  if (store && hooks.remember && work.isPending()) await requireSameAddress(identity, resolved, store)
  const { profile } = identity
  const authentication = await getAuthentication(attempt, resolved, deps)
  const continues = await findContinued(attempt, resolved, { work, before }, deps)
  const { provider, providerAccountId } = account
  const provenBy = resolved.needsBefore ? null : { provider, providerAccountId }
  const claims = (await features.createClaims?.(toAuthentication(authentication, user.id), provenBy)) ?? null
  const clientInfo = getClientInfo(request)
  const about = { profile, remembered, authentication, claims, clientInfo, continues, impersonation: null }
  return { ...resolved, ...about, store: work.store }
}

/**
 * Ends the other sessions of a user who has enrolled a factor during the sign-in, and sign-ins that are not complete: someone
 * who only knows the first factor must not keep an older session.
 *
 * @returns The cookies that replace those of the session.
 * @throws AuthError `StoreUnavailable`; then the session is discarded.
 */
async function endOtherSessions(
  attempt: SignInAttempt,
  { isNewUser, isClaim }: ResolvedUser,
  session: CreatedSession,
  {
    featureRequestDeps,
    resolveUserDeps,
    sessionReader,
    sessions
  }: Pick<CompleteSignInDeps, 'featureRequestDeps' | 'resolveUserDeps' | 'sessionReader' | 'sessions'>
): Promise<SetCookies> {
  // A claim has ended them.
  if (!hasEnrolled(attempt) || isNewUser || isClaim || !resolveUserDeps.canEndSessions) return noCookies
  const cookies = applyCookies(attempt.request.cookies, session.cookies)
  try {
    const ended = await featureRequestDeps.endOtherSessions(cookies)
    if (ended) return ended
    throw new AuthError('Callback', `${attempt.provider.id}: the session ended during the sign-in`, { status: 401 })
  } catch (error) {
    const replaced = error instanceof AuthError ? error.cookies : noCookies
    const found = await sessionReader.read(applyCookies(cookies, replaced))
    await sessions.discard({ ...session, handle: found?.handle ?? session.handle })
    // A sign-in that is refused gets no session.
    if (error instanceof AuthError) error.cookies = noCookies
    throw error
  }
}

/** Finds the interruption that must pass before the session is created. @returns Its error code; `null` if none is due. */
async function findInterruptionError(
  attempt: SignInAttempt,
  planned: SignInPlan,
  deps: CompleteSignInDeps
): Promise<string | null> {
  const { provider, request, resumed } = attempt
  const { user, isClaim = false, isSessionLink = false } = planned
  // Only features read it.
  const isRead = isSessionLink && hasOwnInterruptions(deps.features.interruptions)
  const linkingSession = isRead ? await readLinkingSession(request, { user, provider }, deps) : null
  const about = { id: null, user, isClaim, link: getPendingLink(attempt, planned), linkingSession }
  const signIn = toPendingSignIn(attempt, about, deps)
  const due = await findDueInterruption({ signIn, request, resumed }, deps)
  return due && (due.interruption.error ?? 'VerificationRequired')
}

/**
 * Marks the address as verified whose mailbox an interruption has proven, in the transaction of the sign-in if there is one. Nothing
 * ends: the account of the user was proven too.
 *
 * @throws AuthError `Callback` if the address has changed since
 */
async function verifyProvenAddress(
  { provider, resumed }: SignInAttempt,
  { user: { id }, isNewUser }: ResolvedUser,
  { store }: SignInTransaction,
  { runtime }: Pick<Config, 'runtime'>
): Promise<void> {
  const email = resumed?.provenAddress ?? null
  if (email === null || isNewUser || !store) return
  const user = await store.getUser(id)
  if (!user || !isSameEmailAddress(user.email, email))
    throw new AuthError('Callback', `${provider.id}: the address of the user has changed during the sign-in`, {
      status: 401
    })
  if (!user.emailVerified) await store.updateUser({ id, email, emailVerified: new Date(runtime.now()) })
}

/** The user of a sign-in, and the factors that were created with it. */
interface AppliedPlan {
  readonly resolved: ResolvedUser
  readonly created: readonly FactorKey[]
}

/** Signs in, links or creates the user, with their new factors. @throws SignInConflict if the plan was wrong */
async function applyPlan(
  attempt: SignInAttempt,
  planned: SignInPlan,
  work: SignInTransaction,
  deps: Pick<Config, 'resolveUserDeps' | 'runtime'>
): Promise<AppliedPlan> {
  const resolved = await planned.apply()
  // Interruptions were not asked about factors that a claim deletes: somebody else has verified the address meanwhile.
  if (planned.isClaim && !resolved.isClaim && deps.resolveUserDeps.hasInterruptions) throw new SignInConflict()
  const created = await createFactors(attempt, resolved, work, deps)
  await verifyProvenAddress(attempt, resolved, work, deps)
  return { resolved, created }
}

/** Completes a claim, and confirms the session that allowed a link, if both are written before the session is created. */
async function confirmWritten(
  { proof: { identity }, request: { cookies } }: SignInAttempt,
  { resolved, created: factors }: AppliedPlan,
  {
    store,
    emit,
    sessionManager,
    sessionReader: finder,
    resolveUserDeps
  }: Pick<Config, 'emit' | 'resolveUserDeps' | 'sessionManager' | 'sessionReader' | 'store'>
): Promise<void> {
  if (!store) return
  if (resolved.isClaim)
    await finishClaim(identity, resolved, { handle: null, factors }, { ...resolveUserDeps, store, emit })
  const { now } = resolveUserDeps
  if (resolved.needsBefore)
    await requireSessionBefore(identity, resolved, { store, sessionManager, finder, cookies, now })
}

/** Removes an account again that was linked, as the sign-in failed before the session that allowed the link was confirmed. */
async function takeLinkBack(
  { proof: { identity } }: SignInAttempt,
  resolved: ResolvedUser,
  work: SignInTransaction,
  { store, sessionManager, resolveUserDeps: { now } }: SettleDeps
): Promise<void> {
  // A transaction is rolled back.
  if (!resolved.needsBefore || work.isPending() || !store) return
  // The error that is thrown is that of the sign-in.
  await removeLinked(identity, resolved, { store, sessionManager, now }).catch(() => undefined)
}

/** Resolves the user and creates the session. @throws TransactionAbortedError if the transaction was rolled back. */
async function tryCompleteSignIn(
  attempt: SignInAttempt,
  found: Lookup,
  deps: CompleteSignInDeps
): Promise<SignInResult> {
  const { sessions, isDatabaseSession, csrf, features } = deps
  const { proof } = attempt
  const { work } = found
  const { cookies } = attempt.request
  try {
    if (work.store) await proof.oneTimeToken?.consume(work.store)
    const before = await sessionBefore(attempt, work, deps)
    const planned = await plan(attempt, found, before, deps)
    const { endedSessions, sessionsMark } = await checkUser(attempt, planned, work, deps)
    const error = await findInterruptionError(attempt, planned, deps)
    if (error !== null) return await interrupt(attempt, { planned, error, endedSessions }, work, deps)
    requireRecent(attempt, deps)
    const { resolved, created } = await applyPlan(attempt, planned, work, deps)
    if (work.store) await proof.oneTimeToken?.markUsed?.(work.store)
    const takeBack = async (error: unknown): Promise<never> => {
      await takeLinkBack(attempt, resolved, work, deps)
      throw error
    }
    if (features.onEvent) await recordChanges(attempt, resolved, work, deps).catch(takeBack)
    // A JWT session is not stored: the `jwt` callback must find all rows committed.
    if (!isDatabaseSession) await work.commit()
    if (!work.isPending()) await confirmWritten(attempt, { resolved, created }, deps)
    const session = await describeSession(attempt, resolved, { work, before }, deps)
      .then((description) => sessions.create(description, before, cookies))
      .catch(takeBack)
    const record = features.onEvent ? await recordSignIn(attempt, { resolved, session }, work, deps) : null
    await work.commit()
    await settle(attempt, { resolved, session, isTransaction: work.isTransaction, endedSessions, created }, deps)
    await record?.()
    await limitSessions(resolved.user.id, session, deps)
    // Ending sessions forgets the devices of the user, this one included.
    await reportSignIn(attempt, { resolved, session }, deps)
    const ended = await endOtherSessions(attempt, resolved, session, deps)
    // A CSRF token from before the change of principal must not remain valid.
    return {
      kind: 'signed-in',
      resolvedUser: resolved,
      sessionsMark: resolved.user.id === planned.user?.id ? sessionsMark : null,
      cookies: joinCookies(session.cookies, ended, (await freshCsrfToken(csrf)).cookies)
    }
  } catch (error) {
    if (work.isPending()) proof.oneTimeToken?.discard()
    throw error
  }
}

/**
 * Refuses a sign-in in a browser in which a user impersonates another: it could link an account to that user, or be
 * mistaken for a sign-in of that user.
 *
 * @throws AuthError `ImpersonationForbidden`, `StoreUnavailable`
 */
export async function requireOwnSession(
  { cookies }: Pick<AuthRequest, 'cookies'>,
  { sessionReader, isDatabaseSession, revocations }: SessionBeforeDeps
): Promise<void> {
  // Without stored revocations, there are no impersonations in JWT sessions.
  if (isDatabaseSession || revocations !== null)
    refuseActor(await sessionReader.readImpersonation(cookies), 'a sign-in')
}

/**
 * Resolves the user and creates the session, in one transaction if the store supports it.
 *
 * A transaction that was rolled back is repeated: the second of two concurrent first sign-ins continues as the user of
 * the first.
 */
export async function completeSignIn(
  attempt: SignInAttempt,
  first: Lookup,
  deps: CompleteSignInDeps
): Promise<SignInResult> {
  const { store, emit, runtime } = deps
  await requireOwnSession(attempt.request, deps)
  let found = first
  for (let count = 1; ; count++) {
    try {
      return await tryCompleteSignIn(attempt, found, deps)
    } catch (error) {
      const aborted = error instanceof TransactionAbortedError ? error : null
      const isConflict = error instanceof SignInConflict && count < maxTransactions
      if (!aborted && !isConflict) throw error
      if (aborted?.isFinal) throw toAuthError(aborted, attempt.provider.traits.accountPolicy)
      const isEnough = count >= maxTransactions
      const work = isEnough ? withoutTransaction(store, emit) : createSignInTransaction(store, emit, runtime, aborted)
      found = await lookUp(attempt, work)
    }
  }
}

/** The request with the callback URL of the sign-in, if the sign-in has one. */
export function withCallbackUrl(request: AuthRequest, { callbackUrl }: Pick<Proof, 'callbackUrl'>): AuthRequest {
  return callbackUrl === null ? request : { ...request, body: {}, query: { callbackUrl } }
}
