import * as oauth from 'oauth4webapi'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { clientAuth } from './client-auth.ts'
import { checkClaims, verifySignature } from './id-token.ts'
import type { Metadata } from './metadata.ts'
import { callOptions, clientOf, type OAuthTools } from './tools.ts'

/** The tokens of a sign-in, and what the ID Token says where the provider speaks OpenID Connect. */
export interface Granted {
  readonly tokens: TokenSet
  readonly claims: oauth.IDToken | null
}

/** What the start of the attempt left in the browser. */
export interface Checks {
  readonly redirectUri: string
  readonly codeVerifier: string | null
  readonly nonce: string | null
}

/** The standard fields of a token response; `expires_in` becomes the second of the end. */
export function toTokenSet(response: Readonly<Record<string, unknown>>, now: number): TokenSet {
  const { expires_in, scope, ...rest } = response
  const seconds = Number(expires_in)
  return {
    ...rest,
    ...(scope === undefined ? {} : { scope: Array.isArray(scope) ? scope.join(' ') : String(scope) }),
    ...(expires_in !== undefined && Number.isFinite(seconds) ? { expires_at: Math.floor(now / 1000) + seconds } : {})
  }
}

async function jsonOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}
}

/** A provider that is no OpenID Provider may send an ID Token all the same: nothing is concluded from it. */
async function withoutIdToken(response: Response): Promise<Response> {
  const { id_token, ...body } = await jsonOf(response)
  if (id_token === undefined) return response
  return new Response(JSON.stringify(body), {
    status: response.status,
    headers: { 'content-type': 'application/json' }
  })
}

/**
 * Exchanges an authorization code for tokens.
 *
 * @param response - As returned by `validateResponse`; nothing else is accepted.
 * @param checks - What the start of this sign-in left in the browser.
 * @returns The tokens, and the ID Token's claims, its signature verified, if the provider speaks OpenID Connect.
 * @throws oauth4webapi's errors, `SignatureError` and `ClaimError`, for the caller to translate.
 * @see RFC 6749 §4.1.3, RFC 7636 §4.5, OpenID Connect Core §3.1.3
 */
export async function exchangeCode(
  response: ValidatedResponse,
  checks: Checks,
  provider: OAuthProvider,
  metadata: Metadata,
  tools: OAuthTools
): Promise<Granted> {
  const client = clientOf(provider, tools)
  const options = { ...callOptions(provider, tools), additionalParameters: { ...provider.token.params } }
  const answer = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    await clientAuth(provider),
    response,
    checks.redirectUri,
    checks.codeVerifier ?? oauth.nopkce,
    options
  )
  if (!provider.idToken) {
    const raw = await jsonOf(answer)
    await oauth.processAuthorizationCodeResponse(metadata, client, await withoutIdToken(answer))
    return { tokens: toTokenSet(raw, tools.runtime.now()), claims: null }
  }
  const result = await oauth.processAuthorizationCodeResponse(metadata, client, answer, {
    requireIdToken: true,
    ...(checks.nonce === null ? {} : { expectedNonce: checks.nonce })
  })
  const claims = await verifiedClaims(result, provider, metadata, tools)
  return { tokens: toTokenSet(result, tools.runtime.now()), claims }
}

async function verifiedClaims(
  result: oauth.TokenEndpointResponse,
  provider: OAuthProvider,
  metadata: Metadata,
  tools: OAuthTools
): Promise<oauth.IDToken> {
  const claims = oauth.getValidatedIdTokenClaims(result)
  const { id_token, access_token } = result
  if (!claims || !id_token) throw new TypeError('expected an ID Token')
  // OpenID Connect lets a client trust the TLS connection instead (§3.1.3.7); we verify always.
  await verifySignature(id_token, provider, metadata, tools)
  const now = Math.floor(tools.runtime.now() / 1000)
  await checkClaims(claims, { id_token, access_token }, provider, { now, tolerance: tools.clockTolerance })
  return claims
}
