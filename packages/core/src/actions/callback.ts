import { requireSignUp } from '../accounts/require-sign-up.ts'
import type { ResolvedUser } from '../accounts/resolved-user.ts'
import { createSignInTransaction } from '../accounts/sign-in-transaction.ts'
import { UnlinkedAddressError } from '../accounts/unlinked-address.ts'
import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { authorizeSignIn, type Permission } from '../hooks/authorize-sign-in.ts'
import { type ActionResult, redirect, text } from '../http/action-result.ts'
import { applicationProviderId } from '../model/application-provider.ts'
import type { SetCookies } from '../model/cookie.ts'
import { resolveCallbackUrl } from '../redirects/callback-url.ts'
import type { Proof } from '../sign-in-methods/handler.ts'
import { getHandler } from '../sign-in-methods/handlers.ts'
import { type KnownDeviceDeps, rememberDevice } from '../sign-in-methods/known-device.ts'
import { type LastMethodDeps, rememberMethod } from '../sign-in-methods/last-method.ts'
import { findPageAfterSignIn, type PageAfterSignInDeps } from '../sign-in-methods/page-after-sign-in.ts'
import { limitCallbacks } from '../sign-in-methods/rate-limits.ts'
import {
  type CompleteSignInDeps,
  completeSignIn,
  getCallbackUser,
  type Lookup,
  lookUp,
  requireOwnSession,
  type SignInAttempt,
  type SignInResult,
  withCallbackUrl
} from './complete-sign-in.ts'
import { withQuery } from './error-response.ts'
import { isNewUser } from './is-new-user.ts'
import { unknownProvider } from './not-found.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Run } from './route.ts'

/** What the response to a completed sign-in depends on. */
export type SignInResponseDeps = KnownDeviceDeps &
  LastMethodDeps &
  PageAfterSignInDeps &
  Pick<Config, 'base' | 'emit' | 'origin' | 'pages' | 'redirects' | 'stepUps'>

async function emitSignIn(
  { proof: { identity }, provider }: SignInAttempt,
  { user, account, isNewUser }: ResolvedUser,
  { emit }: Pick<Config, 'emit'>
): Promise<void> {
  const { profile, user: mapped } = identity
  if (provider.traits.accountPolicy === 'application') await emit('signIn', { user, account })
  else await emit('signIn', { user, account, isNewUser, ...(profile ? { profile: mapped } : {}) })
}

/** The page of a new user, after that of a feature, if there is one. */
async function nextPage(
  { request, resumed, stepUp }: SignInAttempt,
  resolved: ResolvedUser,
  callbackUrl: string,
  deps: PageAfterSignInDeps & Pick<Config, 'base' | 'origin' | 'pages'>
): Promise<string> {
  const url = newUserPage(resolved, callbackUrl, deps)
  const { user, account, isNewUser, needsBefore } = resolved
  if (stepUp || needsBefore) return url
  const { provider, type } = account
  const signIn = { user, isNewUser, account: { provider, type }, factors: resumed?.factors ?? [] }
  const path = await findPageAfterSignIn(signIn, request, deps)
  return path === null ? url : withQuery(deps.base + path, { callbackUrl: url }, deps.origin)
}

function newUserPage(
  { isNewUser }: ResolvedUser,
  callbackUrl: string,
  { pages, base, origin }: Pick<Config, 'base' | 'origin' | 'pages'>
): string {
  if (!isNewUser || pages.newUser === null) return callbackUrl
  return withQuery(pages.newUser === true ? `${base}/welcome` : pages.newUser, { callbackUrl }, origin)
}

/** Ends a failed sign-in: a link is restored and stays valid, a pending OAuth sign-in is consumed. */
export async function abandon({ oneTimeToken, cookies }: Proof): Promise<SetCookies> {
  await oneTimeToken?.restore().catch(() => undefined)
  return oneTimeToken ? noCookies : cookies
}

/** States in a refusal which user was proven. */
async function withKnownUser<T>(userId: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof AuthError ? error.withUser(userId) : error
  }
}

/** What the steps after the verification depend on. */
export type FinishSignInDeps = CompleteSignInDeps & SignInResponseDeps & Pick<Config, 'errors'>

/** What a sign-in led to: a session, an interruption that must pass first, or the URL that the callback returned. */
export interface SignInOutcome {
  readonly kind: 'signed-in' | 'pending' | 'redirect'
  readonly url: string
  readonly cookies: SetCookies
}

/** Calls the `signIn` callback of the application, if there is one. */
async function authorize(
  verified: SignInAttempt,
  { owner }: Lookup,
  deps: Pick<Config, 'errors' | 'hooks' | 'sessionReader' | 'store'>
): Promise<Permission> {
  const { signIn } = deps.hooks
  if (!signIn) return { kind: 'granted' }
  const { identity, callbackInput } = verified.proof
  const question = {
    user: getCallbackUser(verified, owner),
    account: identity.account,
    ...callbackInput,
    isNewUser: await isNewUser(verified, owner, deps)
  }
  return authorizeSignIn(question, signIn, deps.errors)
}

/**
 * Completes a verified sign-in: authorize, resolve, interruptions, create. Every way to sign in calls it.
 *
 * @throws AuthError
 */
export async function authorizeAndComplete(verified: SignInAttempt, deps: FinishSignInDeps): Promise<SignInOutcome> {
  const { store, emit, runtime, origin } = deps
  const { proof } = verified
  // Before the application's callback.
  await requireOwnSession(verified.request, deps)
  const found = await lookUp(verified, createSignInTransaction(store, emit, runtime, null))
  if (store && !found.owner) await requireSignUp(proof.identity, verified.provider)
  const { account, user } = proof.identity
  const { provider, type, providerAccountId } = account
  const { email } = user
  const ownerId = found.owner?.id ?? null
  const granted = await withKnownUser(ownerId, () => authorize(verified, found, deps))
  if (granted.kind === 'elsewhere')
    return { kind: 'redirect', url: new URL(granted.location, origin).href, cookies: await abandon(proof) }
  // The callback may change its arguments, as in next-auth v4, but not the account or the proven claims.
  const isSameAddress = user.email === email
  const identity = {
    ...proof.identity,
    account: { ...account, provider, type, providerAccountId },
    emailVerified: proof.identity.emailVerified && isSameAddress
  }
  const attempt = { ...verified, proof: { ...proof, identity } }
  return toOutcome(attempt, await withKnownUser(ownerId, () => completeSignIn(attempt, found, deps)), deps)
}

/** Continues at the callback URL, or at the interruption that must pass first. */
async function toOutcome(
  attempt: SignInAttempt,
  result: SignInResult,
  deps: SignInResponseDeps
): Promise<SignInOutcome> {
  const { base, redirects, stepUps } = deps
  const { proof, provider, request } = attempt
  if (result.kind === 'interrupted') {
    const url = `${base}/verify?error=${result.error}`
    return { kind: 'pending', url, cookies: joinCookies(proof.cookies, result.cookies) }
  }
  const { resolvedUser: resolved, sessionsMark, cookies } = result
  await emitSignIn(attempt, resolved, deps)
  const { callbackUrl, cookies: remembered } = await resolveCallbackUrl(withCallbackUrl(request, proof), redirects)
  const { identity, names } = proof
  // The browser does not send the cookie to the pages of the application.
  const isOwnPage = provider.id === applicationProviderId && attempt.resumed === null
  const isHidden = isOwnPage && !request.cookies.has(deps.cookies.device.name)
  const completed = { identity, names, isHidden, sessionsMark }
  const device = await rememberDevice(resolved.user, completed, request.cookies, deps)
  const method = rememberMethod(provider.id, request.cookies, deps)
  const cleared = stepUps.clear(request.cookies)
  return {
    kind: 'signed-in',
    url: await nextPage(attempt, resolved, callbackUrl, deps),
    cookies: joinCookies(proof.cookies, cookies, remembered, device, method, cleared)
  }
}

function toRedirect({ kind, url, cookies }: SignInOutcome): ActionResult {
  // next-auth's client reports 401 with an error in the URL as not signed in.
  return kind === 'pending' ? redirect(url, cookies, 401) : redirect(url, cookies)
}

/** Redirects to the callback URL, or to the interruption that must pass first. */
export async function toResult(
  attempt: SignInAttempt,
  result: SignInResult,
  deps: SignInResponseDeps
): Promise<ActionResult> {
  return toRedirect(await toOutcome(attempt, result, deps))
}

/**
 * Completes a sign-in: verify, authorize, resolve, interruptions, create, redirect.
 *
 * @throws AuthError
 */
export const finishSignIn: Run = async (request, config, provider) => {
  if (!provider) return unknownProvider(request, config)
  const handler = getHandler(provider)
  const isHead = request.method === 'HEAD'
  const callbackMethod = isHead ? 'GET' : request.method
  if (!provider.traits.callbackMethods.some((method) => method === callbackMethod)) {
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
    return toRedirect(await authorizeAndComplete({ proof, provider, request, resumed: null, stepUp }, config))
  } catch (error) {
    const cookies = await abandon(proof)
    if (error instanceof UnlinkedAddressError) await notifyOwner(error, provider, request, config)
    if (error instanceof AuthError) throw error.withCookies(cookies)
    throw new AuthError('Callback', 'the sign-in could not be completed', { cause: error, cookies })
  }
}
