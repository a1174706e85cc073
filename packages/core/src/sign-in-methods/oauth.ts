import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { type ActionResult, page, redirect } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { AuthenticationContext } from '../model/authentication.ts'
import type { OAuthProvider, Region } from '../model/provider.ts'
import {
  checkRequirements,
  createProviderAuthentication,
  joinRequirements,
  requirementParameters
} from '../oauth/authentication-requirements.ts'
import {
  readResponseError,
  responseParameters,
  type ValidatedResponse,
  validateResponse
} from '../oauth/authorization-response.ts'
import type { AuthorizationState } from '../oauth/authorization-state-per-tab.ts'
import { authorizationUrl, codeChallenge } from '../oauth/authorization-url.ts'
import { createOAuthClient, type OAuthContext } from '../oauth/context.ts'
import { requestCustomProfile, requestCustomTokens } from '../oauth/custom-requests.ts'
import { allowsLink, parseLinkValue } from '../oauth/link-request.ts'
import { findUnsupported, loadMetadata, type Metadata } from '../oauth/metadata.ts'
import { toIdentity } from '../oauth/profile.ts'
import { protocolError, type Step } from '../oauth/protocol-error.ts'
import { getCallbackRegion, withRegion } from '../oauth/regions.ts'
import { exchangeCode } from '../oauth/token-request.ts'
import { loadProfile } from '../oauth/userinfo.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import { randomBase64Url } from '../tokens/random.ts'
import type { Proof, ProviderHandler, Verified } from './handler.ts'

/** The parameters of an authorization request that make the provider authenticate the user as required. */
function requestedParameters(
  provider: OAuthProvider,
  { requires }: AuthorizationState
): Readonly<Record<string, string>> {
  if (!provider.idToken) return {}
  if (!requires) return requirementParameters(provider.requires)
  const parameters = requirementParameters(joinRequirements(provider.requires, requires))
  const { maxAge = null, acr = [] } = requires
  // Without a prompt, a session at the provider signs the user in again silently.
  return maxAge === null && acr.length === 0 ? parameters : { ...parameters, prompt: 'login' }
}

/** Checks what the provider requires, and the `acr` of a guard. Its maximum age is checked once the second factor was given. */
function checkAuthentication(
  { provider: reported }: AuthenticationContext,
  { requires }: AuthorizationState,
  { requires: configured }: OAuthProvider,
  oauthContext: OAuthContext
): void {
  checkRequirements(reported, configured, oauthContext)
  if (requires?.acr) checkRequirements(reported, { acr: requires.acr }, oauthContext)
}

/**
 * Starts a sign-in, whose state the browser stores, and redirects to the provider.
 *
 * @throws AuthError `OAuthSignin` if the provider is unavailable.
 */
async function start(provider: OAuthProvider, request: AuthRequest, config: Config): Promise<ActionResult> {
  const { callbackUrl, cookies } = await config.redirects.resolve(request)
  const metadata = await loadMetadata(provider, config.oauth).catch((error: unknown) => {
    throw protocolError('OAuthSignin', provider, 'discovery', error)
  })
  const unsupported = findUnsupported(provider.id, metadata)
  if (unsupported !== null) throw new AuthError('OAuthSignin', unsupported)
  const random = (): string => randomBase64Url(config.runtime.randomBytes, 32)
  const signedIn = await config.sessionReader.readUser(request.cookies)
  const stepUp = await config.stepUps.read(request.cookies)
  const attempt: AuthorizationState = {
    id: random(),
    provider: provider.id,
    issuer: metadata.issuer,
    redirectUri: redirectUriAt(config.base, provider.id),
    callbackUrl,
    userId: signedIn?.userId ?? null,
    link: signedIn && parseLinkValue(getText(request.body, 'link')),
    codeVerifier: provider.pkce ? random() : null,
    nonce: provider.nonce ? random() : null,
    ...(stepUp ? { requires: { acr: stepUp.acr, maxAge: stepUp.maxAge } } : {})
  }
  const url = authorizationUrl(metadata, provider, request.query, {
    redirectUri: attempt.redirectUri,
    state: attempt.id,
    codeChallenge: attempt.codeVerifier && (await codeChallenge(attempt.codeVerifier)),
    nonce: attempt.nonce,
    required: requestedParameters(provider, attempt)
  })
  if (!url)
    throw protocolError('OAuthSignin', provider, 'discovery', new TypeError('expected an authorization endpoint'))
  const remembered = await config.authorizationStates.save(attempt, request.cookies)
  return redirect(url, joinCookies(cookies, remembered))
}

/** The browser no longer has the sign-in: the response is ignored, and the user can start again. */
async function startAgain(
  provider: OAuthProvider,
  request: AuthRequest,
  parameters: URLSearchParams,
  config: Config
): Promise<ActionResult> {
  const words = readResponseError(parameters)
  const said = words === null ? '' : `; ${words}`
  if (config.pages.signIn)
    throw new AuthError('OAuthCallback', `${provider.id}: the state cookie is missing or has expired${said}`, {
      reason: 'expired'
    })
  config.logger.warn('OAUTH_CALLBACK_ERROR', {
    message: `${provider.id}: this browser has no pending sign-in with this state${said}`,
    ref: request.id
  })
  const { token: csrfToken, cookies } = await config.csrf.readOrIssue(request.cookies)
  const { callbackUrl } = await config.redirects.resolve({ ...request, body: {}, query: {} })
  const action = signinUrlAt(config.basePath, provider.id)
  return page(
    { name: 'start-again', provider: provider.name, action, csrfToken, callbackUrl, ref: request.id },
    cookies,
    400
  )
}

/**
 * A sign-in must be completed with the provider and the issuer (RFC 9700 §4.4.2), the redirect URI (RFC 6749 §4.1.3), the code
 * verifier (RFC 7636 §4.5) and the nonce (OpenID Connect Core §3.1.3.7 step 11) that it began with.
 */
function checkBinding(attempt: AuthorizationState, provider: OAuthProvider, metadata: Metadata, config: Config): void {
  const refuse = (what: string): never => {
    throw new AuthError('OAuthCallback', `${provider.id}: the sign-in was started with another ${what}`)
  }
  if (attempt.provider !== provider.id) refuse('provider')
  if (attempt.redirectUri !== redirectUriAt(config.base, provider.id)) refuse('redirect_uri')
  if (attempt.issuer !== metadata.issuer) refuse('issuer')
  if (provider.pkce && attempt.codeVerifier === null) refuse('code_verifier')
  if (provider.nonce && attempt.nonce === null) refuse('nonce')
}

async function prove(
  attempt: AuthorizationState,
  parameters: URLSearchParams,
  provider: OAuthProvider,
  config: Config
): Promise<Omit<Proof, 'cookies'>> {
  const { oauth: oauthContext, logger } = config
  const failed = (step: Step) => (error: unknown) => {
    throw protocolError('OAuthCallback', provider, step, error)
  }
  const metadata = await loadMetadata(provider, oauthContext).catch(failed('discovery'))
  checkBinding(attempt, provider, metadata, config)
  const validate = async (): Promise<ValidatedResponse> =>
    validateResponse(
      parameters,
      attempt.id,
      { metadata, client: createOAuthClient(provider, oauthContext), provider },
      logger
    )
  const response = await validate().catch(failed('authorization response'))
  const findRegion = async (): Promise<Region | null> => getCallbackRegion(response, provider)
  const region = await findRegion().catch(failed('authorization response'))
  const checks = { ...attempt, state: attempt.id }
  const context = { provider, metadata: withRegion(metadata, region), checks, oauthContext }
  const { token, userinfo } = provider
  const tokenRequest = token.request
    ? requestCustomTokens(token.request, response, context)
    : exchangeCode(response, context)
  const grant = await tokenRequest.catch(failed('token request'))
  const authentication = createProviderAuthentication(grant.claims, provider, oauthContext)
  checkAuthentication(authentication, attempt, provider, oauthContext)
  const profileRequest = userinfo.request
    ? requestCustomProfile(userinfo.request, grant, response, context)
    : loadProfile(grant, response, context)
  const raw = await profileRequest.catch(failed('userinfo'))
  const identity = await toIdentity(raw, { tokens: grant.tokens, region }, provider).catch(failed('profile'))
  return {
    identity,
    authentication,
    names: [],
    callbackUrl: attempt.callbackUrl,
    initialUserId: attempt.userId,
    isLink: await allowsLink(attempt.link, identity.account),
    isStepUp: attempt.requires !== undefined,
    oneTimeToken: null,
    submittedAt: null,
    callbackInput: { profile: raw },
    storedInput: { profile: raw }
  }
}

/**
 * Consumes the pending sign-in that `state` identifies, validates the response, and converts the profile to an
 * identity.
 *
 * @throws AuthError `OAuthCallback`
 */
async function verify(provider: OAuthProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const isPosted = request.method === 'POST'
  const fields = isPosted ? request.body : request.query
  // A cross-site POST carries no Lax cookies; the GET that this redirect causes does.
  if (isPosted && !config.authorizationStates.isIn(request.cookies)) {
    const parameters = responseParameters(provider, fields)
    return {
      kind: 'result',
      outcome: redirect(`${redirectUriAt(config.base, provider.id)}?${parameters}`, new Map(), 303)
    }
  }
  const state = getText(fields, 'state')
  const redeemed = state ? await config.authorizationStates.redeem(state, request.cookies) : null
  if (!redeemed) {
    // A malformed response is reported even if there is no pending sign-in.
    const parameters = responseParameters(provider, fields)
    return { kind: 'result', outcome: await startAgain(provider, request, parameters, config) }
  }
  const { authorizationState, cookies } = redeemed
  try {
    const parameters = responseParameters(provider, fields)
    return { kind: 'proof', proof: { ...(await prove(authorizationState, parameters, provider, config)), cookies } }
  } catch (error) {
    throw error instanceof AuthError ? error.withCookies(cookies) : error
  }
}

/** Signs users in with an authorization server (RFC 6749 §4.1, OpenID Connect Core §3.1). */
export const oauth: ProviderHandler<'oauth'> = {
  start,
  verify
}
