import type { Config } from '../config/config.ts'
import { pageCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { textOf } from '../http/body.ts'
import { type Outcome, page, redirect } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { type Attempt, beginAttempt, hasAttempts, redeemAttempt } from '../oauth/authorization-state.ts'
import { responseParameters, type ValidatedResponse, validateResponse } from '../oauth/authorization-response.ts'
import { authorizationUrl, codeChallenge, permittedParameters } from '../oauth/authorization-url.ts'
import { protocolError, type Step } from '../oauth/protocol-error.ts'
import { loadMetadata, type Metadata } from '../oauth/metadata.ts'
import { profileOfOwn, tokensOfOwn } from '../oauth/custom-requests.ts'
import { toIdentity } from '../oauth/profile.ts'
import { exchangeCode } from '../oauth/token-request.ts'
import { clientOf } from '../oauth/context.ts'
import { profileOf } from '../oauth/userinfo.ts'
import { destination } from '../redirects/callback-url.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import { randomBase64Url } from '../tokens/random.ts'
import type { Proof, ProviderHandler, Verified } from '../provider-types/handler.ts'

/**
 * Begins an attempt, which the browser keeps, and sends the visitor to the provider.
 *
 * @throws AuthError `OAuthSignin`: the provider cannot be asked.
 */
async function start(provider: OAuthProvider, request: AuthRequest, config: Config): Promise<Outcome> {
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  const metadata = await loadMetadata(provider, config.oauth).catch((error: unknown) => {
    throw protocolError('OAuthSignin', provider.id, 'discovery', error)
  })
  const random = (): string => randomBase64Url(config.runtime.randomBytes, 32)
  const signedIn = await config.finder.identify(request.cookies)
  const attempt: Attempt = {
    id: random(),
    provider: provider.id,
    issuer: metadata.issuer,
    redirectUri: redirectUriAt(config.base, provider.id),
    callbackUrl,
    userId: signedIn?.userId ?? null,
    codeVerifier: provider.pkce ? random() : null,
    nonce: provider.nonce ? random() : null
  }
  const url = authorizationUrl(metadata, provider, permittedParameters(request.query), {
    redirectUri: attempt.redirectUri,
    state: attempt.id,
    codeChallenge: attempt.codeVerifier && (await codeChallenge(attempt.codeVerifier)),
    nonce: attempt.nonce
  })
  if (!url)
    throw protocolError('OAuthSignin', provider.id, 'discovery', new TypeError('expected an authorization endpoint'))
  const remembered = await beginAttempt(attempt, request.cookies, config.attempts)
  return redirect(url, new Map([...cookies, ...remembered]))
}

/** The browser has no such attempt any more: nothing is concluded from the answer, and the visitor can start again. */
async function startAgain(provider: OAuthProvider, request: AuthRequest, config: Config): Promise<Outcome> {
  if (config.pages.signIn)
    throw new AuthError('OAuthCallback', `${provider.id}: the attempt was lost or is too old`, { reason: 'expired' })
  config.logger.warn('OAUTH_CALLBACK_ERROR', {
    message: `${provider.id}: no attempt of this browser has this state`,
    ref: request.id
  })
  const { token: csrfToken, cookies } = await pageCsrfToken(request.cookies, config.csrf)
  const { callbackUrl } = await destination({ ...request, body: {}, query: {} }, config.redirects)
  const action = signinUrlAt(config.basePath, provider.id)
  return page(
    { name: 'start-again', provider: provider.name, action, csrfToken, callbackUrl, ref: request.id },
    cookies,
    400
  )
}

/** An attempt is good for the provider, the issuer and the address that it was begun with. */
function checkBinding(attempt: Attempt, provider: OAuthProvider, metadata: Metadata, config: Config): void {
  const refuse = (what: string): never => {
    throw new AuthError('OAuthCallback', `${provider.id}: the attempt was begun with another ${what}`)
  }
  if (attempt.provider !== provider.id) refuse('provider')
  if (attempt.redirectUri !== redirectUriAt(config.base, provider.id)) refuse('redirect_uri')
  if (attempt.issuer !== metadata.issuer) refuse('issuer')
  if (provider.pkce && attempt.codeVerifier === null) refuse('code_verifier')
  if (provider.nonce && attempt.nonce === null) refuse('nonce')
}

async function prove(
  attempt: Attempt,
  parameters: URLSearchParams,
  provider: OAuthProvider,
  config: Config
): Promise<Omit<Proof, 'cookies'>> {
  const { oauth: tools, logger } = config
  const failed = (step: Step) => (error: unknown) => {
    throw protocolError('OAuthCallback', provider.id, step, error)
  }
  const metadata = await loadMetadata(provider, tools).catch(failed('discovery'))
  checkBinding(attempt, provider, metadata, config)
  const validate = async (): Promise<ValidatedResponse> =>
    validateResponse(parameters, attempt.id, { metadata, client: clientOf(provider, tools), provider }, logger)
  const response = await validate().catch(failed('authorization response'))
  const context = { provider, metadata, checks: { ...attempt, state: attempt.id }, tools }
  const { token, userinfo } = provider
  const granting = token.request ? tokensOfOwn(token.request, response, context) : exchangeCode(response, context)
  const granted = await granting.catch(failed('token request'))
  const telling = userinfo.request
    ? profileOfOwn(userinfo.request, granted, response, context)
    : profileOf(granted, response, context)
  const raw = await telling.catch(failed('userinfo'))
  return {
    identity: await toIdentity(raw, granted.tokens, provider).catch(failed('profile')),
    callbackUrl: attempt.callbackUrl,
    startedBy: attempt.userId,
    once: null,
    question: { profile: raw }
  }
}

/**
 * Redeems the attempt that the answer names, has the protocol prove the answer, and makes an identity of the profile.
 *
 * @throws AuthError `OAuthCallback`
 */
async function verify(provider: OAuthProvider, request: AuthRequest, config: Config): Promise<Verified> {
  const isPosted = request.method === 'POST'
  const fields = isPosted ? request.body : request.query
  // A cross-site POST brings no Lax cookies; a GET that our own answer asks for does.
  if (isPosted && !hasAttempts(request.cookies, config.attempts)) {
    const parameters = responseParameters(provider.id, fields)
    return {
      kind: 'answer',
      outcome: redirect(`${redirectUriAt(config.base, provider.id)}?${parameters}`, new Map(), 303)
    }
  }
  const state = textOf(fields, 'state')
  const redeemed = state ? await redeemAttempt(state, request.cookies, config.attempts) : null
  if (!redeemed) {
    // What no browser may bring is told, also where nobody asked.
    responseParameters(provider.id, fields)
    return { kind: 'answer', outcome: await startAgain(provider, request, config) }
  }
  const { attempt, cookies } = redeemed
  try {
    const parameters = responseParameters(provider.id, fields)
    return { kind: 'proof', proof: { ...(await prove(attempt, parameters, provider, config)), cookies } }
  } catch (error) {
    throw error instanceof AuthError ? error.spending(cookies) : error
  }
}

/** A visitor proves at an authorization server who they are (RFC 6749 §4.1, OpenID Connect Core §3.1). */
export const oauth: ProviderHandler<'oauth'> = { methods: ['GET', 'POST'], start, verify }
