import type { FoundUser, Store } from '../adapter/store.ts'
import type { Config } from '../config/config.ts'
import { applyCookies, joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError, SignInError } from '../errors/auth-error.ts'
import type { StoredSignIn } from '../features/interrupted-sign-ins.ts'
import type { RegisteredInterruption } from '../features/registered-feature.ts'
import { signInErrorsOnly, thrownError } from '../hooks/authorize-sign-in.ts'
import { type ActionResult, json, redirect, text } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, acceptsJsonOnly, wantsJson } from '../http/request.ts'
import { findSignInProvider } from '../model/application-provider.ts'
import type { Provider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import { createFeatureRequest } from '../sign-in-methods/feature-request.ts'
import {
  type AskedSignIn,
  findDueInterruption,
  findDueInterruptions,
  readLinkingSession,
  toPendingSignIn
} from '../sign-in-methods/interruptions.ts'
import { createTicketToken } from '../sign-in-methods/one-time-token.ts'
import { limitCallbacks } from '../sign-in-methods/rate-limits.ts'
import { withQuery } from './error-response.ts'
import type { Run } from './route.ts'
import { showStepUp } from './show-step-up.ts'
import { requireOwnSession, SignIn, toRedirect } from './sign-in.ts'

/** A pending sign-in with its provider and its user. */
interface Pending extends StoredSignIn {
  readonly provider: Provider
  readonly user: User | null
  /** Where it is stored. */
  readonly store: Store
}

/**
 * Reads the pending sign-in of the browser.
 *
 * @returns `null` if there is none, if its user or provider no longer exists, if the sessions of the user have ended, if the provider is another sign-in method
 * now, or if it asks a user who is no longer signed in to confirm a link.
 */
async function readPending(request: AuthRequest, config: Config): Promise<Pending | null> {
  const { pendingSignIns, store, providers, sessionReader, isDatabaseSession } = config
  const stored = store && (await pendingSignIns.read(request.cookies, store))
  const provider = stored && findSignInProvider(stored.state.providerId, providers)
  if (!stored || !provider) return null
  const { identity, accountPolicy, userId, link } = stored.state
  // What one method has proven is no proof of another, such as the address of a provider for a mailbox.
  if (provider.type !== identity.account.type || provider.traits.accountPolicy !== accountPolicy) return null
  if (link && (await sessionReader.readUser(request.cookies))?.userId !== userId) return null
  if (userId === null) return { ...stored, provider, user: null, store }
  const isStored = provider.traits.accountPolicy !== 'application' || isDatabaseSession
  if (!isStored) return { ...stored, provider, user: identity.user, store }
  const found = await store.findUser({ userId })
  if (!found || isEnded(stored.state, found)) return null
  return { ...stored, provider, user: found.user, store }
}

/** Whether the sessions of the user have ended since a sign-in read them first. */
function isEnded({ userVersion }: StoredSignIn['state'], { version: { sessionsFrom } }: FoundUser): boolean {
  return userVersion !== null && sessionsFrom > userVersion
}

function startOver({ base, origin, pendingSignIns }: Config): ActionResult {
  // Clients that ask for JSON must not report success.
  return redirect(withQuery(`${base}/signin`, { error: 'Callback' }, origin), pendingSignIns.clear(), 401)
}

/** The page of a sign-in that is over, as when a user goes back to it: who is signed in has nothing to start over. */
async function leave(request: AuthRequest, config: Config): Promise<ActionResult> {
  const { pendingSignIns, redirects, sessionReader } = config
  if ((await sessionReader.readUser(request.cookies)) === null) return startOver(config)
  const { callbackUrl } = await redirects.resolve(request)
  return redirect(callbackUrl, pendingSignIns.clear(), 401)
}

/** Continues the sign-in: everything is planned again, and the next interruption that is due interrupts it again. */
async function resume(pending: Pending, request: AuthRequest, config: Config): Promise<ActionResult> {
  const { pendingSignIns, stepUps } = config
  const { key, state, provider } = pending
  const proof = {
    ...state,
    storedInput: state.callbackInput,
    cookies: pendingSignIns.clear(),
    oneTimeToken: createTicketToken(key, `${provider.id}: the sign-in was completed by another request`)
  }
  // A step-up may have begun after the sign-in.
  const stepUp = state.stepUp ?? (await stepUps.read(request.cookies))
  return toRedirect(await new SignIn({ proof, provider, request, resumed: state, stepUp }, config).resume())
}

/** What the interruptions of a pending sign-in are asked with. */
async function describe(
  { key, state, provider, user }: Pending,
  request: AuthRequest,
  config: Config
): Promise<AskedSignIn> {
  const { identity, authentication, stepUp, link, isReclaim, isSessionLink } = state
  const linkingSession = isSessionLink ? await readLinkingSession(request, { user, provider }, config) : null
  const verified = { proof: { identity, authentication }, provider, stepUp, request }
  const about = { id: key.id, userVersion: state.userVersion, user, isReclaim, link, linkingSession }
  return { signIn: toPendingSignIn(verified, about, config), request, resumed: state }
}

/** Whether a guard requires a step-up that this sign-in is not part of: it asks for a link, or is of another user. */
async function isOutsideStepUp(
  { state: { link, userId } }: Pending,
  { query, cookies }: AuthRequest,
  { sessionReader }: Config
): Promise<boolean> {
  const isGuarded = ['callbackUrl', 'max_age', 'acr_values', 'amr'].some((name) => getText(query, name) !== null)
  if (!isGuarded) return false
  const principal = link ? null : await sessionReader.readUser(cookies)
  return link !== null || (principal !== null && principal.userId !== userId)
}

/**
 * Shows the first interruption that is due, and completes the sign-in if none is. A signed-in user without a pending
 * sign-in has to authenticate again, because a guard requires it.
 */
export const showVerification: Run = async (request, config) => {
  // HEAD must not complete a sign-in.
  if (request.method === 'HEAD') return text('', 200)
  await requireOwnSession(request, config)
  const pending = await readPending(request, config)
  if (!pending || (await isOutsideStepUp(pending, request, config))) return showStepUp(request, config)
  const asked = await describe(pending, request, config)
  const due = await findDueInterruption(asked, config)
  if (!due) return resume(pending, request, config)
  const url = `${config.base}/verify/${due.interruption.id}`
  if (!wantsJson(request) && !acceptsJsonOnly(request)) return redirect(url)
  const all = await findDueInterruptions(asked, config)
  return json({ interruptions: all.map(({ interruption }) => interruption.id), url })
}

/**
 * Ends the pending sign-in of the browser. A user who is signed in goes back to the page that began it, and any other one to the sign-in
 * page.
 */
export async function cancelSignIn(request: AuthRequest, config: Config): Promise<ActionResult> {
  const { base, origin, pendingSignIns, redirects, sessionReader, store } = config
  const stored = store && (await pendingSignIns.read(request.cookies, store))
  if (stored) await pendingSignIns.end(stored.key, store)
  const { callbackUrl } = stored?.state ?? (await redirects.resolve(request))
  const isSignedIn = (await sessionReader.readUser(request.cookies)) !== null
  const url = isSignedIn ? callbackUrl : withQuery(`${base}/signin`, { callbackUrl }, origin)
  return redirect(url, pendingSignIns.clear())
}

/** Shows one interruption, or verifies its form. */
export async function verifyInterruption(
  request: AuthRequest,
  registered: RegisteredInterruption,
  config: Config
): Promise<ActionResult> {
  const isPosted = request.method === 'POST'
  await requireOwnSession(request, config)
  if (isPosted) await limitCallbacks(request, config)
  const pending = await readPending(request, config)
  if (!pending) return isPosted ? startOver(config) : leave(request, config)
  try {
    return await verifyPending(pending, request, registered, config)
  } catch (error) {
    const userId = pending.user?.id ?? null
    if (error instanceof SignInError)
      throw thrownError(error, signInErrorsOnly, { fallback: 'AccessDenied', callee: 'a feature' }).withUser(userId)
    throw error instanceof AuthError ? error.withUser(userId) : error
  }
}

async function verifyPending(
  pending: Pending,
  request: AuthRequest,
  { interruption, feature }: RegisteredInterruption,
  config: Config
): Promise<ActionResult> {
  const isPosted = request.method === 'POST'
  const { store } = pending
  const asked = await describe(pending, request, config)
  const { signIn } = asked
  // A later interruption, such as an enrollment, must not be verified before the one that is due.
  const due = await findDueInterruption(asked, config)
  if (due?.interruption !== interruption) return redirect(`${config.base}/verify`)
  const featureRequest = createFeatureRequest(request, feature, config)
  if (!isPosted) return interruption.show(signIn, featureRequest)
  const left = await config.pendingSignIns.countTry(pending.key, store)
  if (left === null) return startOver(config)
  const result = await interruption.verify(signIn, featureRequest)
  const outcome = result === 'passed' ? ({ kind: 'passed' } as const) : result
  if (outcome.kind === 'continued') {
    // The last attempt is left to the user.
    if (left === 0) await config.pendingSignIns.refundTry(pending.key, store)
    return outcome.result
  }
  if (outcome.kind !== 'passed') {
    if (left > 0) return outcome
    await config.pendingSignIns.end(pending.key, store)
    return startOver(config)
  }
  const { cookies = noCookies, amr = [], newFactors = [], provenAddress = pending.state.provenAddress } = outcome
  const passed = [...pending.state.passed, interruption.id]
  const factors = [...pending.state.factors, ...amr]
  const enrolled = [...pending.state.newFactors, ...newFactors]
  const state = { ...pending.state, passed, factors, newFactors: enrolled, provenAddress }
  const resumed = await resume(
    { ...pending, state },
    { ...request, cookies: applyCookies(request.cookies, cookies) },
    config
  )
  return { ...resumed, cookies: joinCookies(cookies, resumed.cookies) }
}
