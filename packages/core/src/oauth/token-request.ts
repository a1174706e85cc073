import * as oauth from 'oauth4webapi'
import { checkJson } from '../http/read-response.ts'
import type { Profile } from '../model/identity.ts'
import { tokenIssuer } from '../model/issuer.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import type { AuthorizationState } from './authorization-state-per-tab.ts'
import { clientAuth } from './client-auth.ts'
import { callOptions, createOAuthClient, type OAuthContext, tokenRequestChange } from './context.ts'
import { checkClaims, verifySignature } from './id-token.ts'
import type { Metadata } from './metadata.ts'
import { rejectServerError } from './server-error.ts'
import {
  readPlainResponse,
  readTokenResponse,
  type TokenResponse,
  toTokenResponse,
  toTokenSet
} from './token-response.ts'

/** The claims of a verified ID Token; numbers beyond 2^53 are strings. */
export type IdTokenClaims = Profile & { readonly iss: string; readonly sub: string }

/** The tokens of a sign-in, and the ID Token's claims if the provider uses OpenID Connect. */
export interface TokenGrant {
  readonly tokens: TokenSet
  readonly claims: IdTokenClaims | null
}

/** The values that the browser stored when the sign-in began. */
type Checks = Pick<AuthorizationState, 'redirectUri' | 'codeVerifier' | 'nonce'> & { readonly state: string }

/** The context of a token request. */
export interface GrantContext {
  readonly provider: OAuthProvider
  readonly metadata: Metadata
  readonly checks: Checks
  readonly oauthContext: OAuthContext
}

/**
 * Exchanges an authorization code for tokens.
 *
 * @param response - As returned by `validateResponse`; nothing else is accepted.
 * @returns The tokens, and the verified claims of the ID Token if the provider uses OpenID Connect.
 * @throws oauth4webapi's errors, `SignatureError` and `ClaimError`, for the caller to translate.
 * @see RFC 6749 §4.1.3, RFC 7636 §4.5, OpenID Connect Core §3.1.3
 */
export async function exchangeCode(response: ValidatedResponse, context: GrantContext): Promise<TokenGrant> {
  const { provider, metadata, checks, oauthContext } = context
  const client = createOAuthClient(provider, oauthContext)
  const options = {
    ...callOptions(provider, oauthContext, tokenRequestChange(provider, checks.redirectUri)),
    additionalParameters: { ...provider.token.params }
  }
  const received = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    await clientAuth(provider, metadata, oauthContext),
    response,
    checks.redirectUri,
    checks.codeVerifier ?? oauth.nopkce,
    options
  )
  const normal = await normalizeResponse(received, provider)
  rejectServerError(normal, [provider.clientSecret, response.get('code'), checks.codeVerifier])
  return read(normal, context)
}

/** Converts a provider's non-standard token response to the standard form. */
export async function normalizeResponse(received: Response, provider: OAuthProvider): Promise<TokenResponse> {
  const { tokenResponse } = provider.hooks
  const response: unknown = (await provider.conformTokens?.(received.clone())) ?? received
  if (!(response instanceof Response))
    throw new TypeError(`expected providers.${provider.id}.token.conform to return a Response`)
  return readTokenResponse(tokenResponse ? await tokenResponse(response, provider) : response)
}

/** Parses a token response: the tokens, and the verified claims if the provider uses OpenID Connect. */
async function read(
  received: TokenResponse,
  { provider, metadata, checks, oauthContext }: GrantContext
): Promise<TokenGrant> {
  const { response, body: raw } = received
  checkJson(response)
  const client = createOAuthClient(provider, oauthContext)
  if (!provider.idToken) {
    await oauth.processAuthorizationCodeResponse(metadata, client, readPlainResponse(received))
    return { tokens: toTokenSet(raw, oauthContext.runtime.now()), claims: null }
  }
  const issued = { ...metadata, issuer: tokenIssuer(metadata.issuer, raw['id_token']) }
  const result = await oauth.processAuthorizationCodeResponse(issued, client, response, {
    requireIdToken: true,
    ...(checks.nonce === null ? {} : { expectedNonce: checks.nonce })
  })
  const claims = await verifiedClaims(result, provider, metadata, oauthContext)
  // `token_type` keeps the spelling of the server.
  return { tokens: toTokenSet({ ...result, token_type: raw['token_type'] }, oauthContext.runtime.now()), claims }
}

/**
 * Accepts the tokens of a `token.request` function after the checks that a token response gets.
 *
 * @throws oauth4webapi's errors, `SignatureError` and `ClaimError`, for the caller to translate.
 */
export async function createTokenGrant(
  tokens: Readonly<Record<string, unknown>>,
  context: GrantContext
): Promise<TokenGrant> {
  const { expires_at } = tokens
  const body = JSON.stringify({ token_type: 'bearer', ...tokens })
  const response = new Response(body, { headers: { 'content-type': 'application/json' } })
  const granted = await read(await toTokenResponse(response), context)
  return expires_at === undefined
    ? granted
    : { ...granted, tokens: { ...granted.tokens, expires_at: Number(expires_at) } }
}

export async function verifiedClaims(
  result: oauth.TokenEndpointResponse,
  provider: OAuthProvider,
  metadata: Metadata,
  oauthContext: OAuthContext
): Promise<IdTokenClaims> {
  const claims = oauth.getValidatedIdTokenClaims(result)
  const { id_token, access_token } = result
  if (!claims || !id_token) throw new TypeError('expected an ID Token')
  // OpenID Connect allows a client to rely on TLS instead (§3.1.3.7); Postern always verifies the signature.
  await verifySignature(id_token, { provider, metadata }, oauthContext)
  const now = Math.floor(oauthContext.runtime.now() / 1000)
  const decoded = decodeJws(id_token)
  if (!decoded) throw new TypeError('expected a signed ID Token')
  const token = { algorithm: decoded.algorithm, accessToken: access_token }
  await checkClaims(claims, token, provider, { now, tolerance: oauthContext.clockTolerance })
  // oauth4webapi rounds numbers beyond 2^53; these claims are exact.
  return { ...decoded.claims, iss: claims.iss, sub: claims.sub }
}
