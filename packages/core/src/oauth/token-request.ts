import * as oauth from 'oauth4webapi'
import { checkJson } from '../http/read-response.ts'
import { tokenIssuer } from '../model/issuer.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import type { ValidatedResponse } from './authorization-response.ts'
import { clientAuth } from './client-auth.ts'
import { checkClaims, verifySignature } from './id-token.ts'
import type { Metadata } from './metadata.ts'
import { jsonOf, plainAnswer, toTokenSet, usableAnswer } from './token-response.ts'
import { callOptions, clientOf, type OAuthTools } from './context.ts'

/** The tokens of a sign-in, and what the ID Token says where the provider speaks OpenID Connect. */
export interface Granted {
  readonly tokens: TokenSet
  readonly claims: oauth.IDToken | null
}

/** What the start of the attempt left in the browser. */
interface Checks {
  readonly state: string
  readonly redirectUri: string
  readonly codeVerifier: string | null
  readonly nonce: string | null
}

/** What one attempt is finished with. */
export interface GrantContext {
  readonly provider: OAuthProvider
  readonly metadata: Metadata
  readonly checks: Checks
  readonly tools: OAuthTools
}

/**
 * Exchanges an authorization code for tokens.
 *
 * @param response - As returned by `validateResponse`; nothing else is accepted.
 * @returns The tokens, and the ID Token's claims, its signature verified, if the provider speaks OpenID Connect.
 * @throws oauth4webapi's errors, `SignatureError` and `ClaimError`, for the caller to translate.
 * @see RFC 6749 §4.1.3, RFC 7636 §4.5, OpenID Connect Core §3.1.3
 */
export async function exchangeCode(response: ValidatedResponse, context: GrantContext): Promise<Granted> {
  const { provider, metadata, checks, tools } = context
  const client = clientOf(provider, tools)
  const { tokenRequest } = provider.hooks
  const options = { ...callOptions(provider, tools, tokenRequest), additionalParameters: { ...provider.token.params } }
  const received = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    await clientAuth(provider, metadata, tools),
    response,
    checks.redirectUri,
    checks.codeVerifier ?? oauth.nopkce,
    options
  )
  return read(await conformed(received, provider), context)
}

/** The answer of a token endpoint as the standard has it, where a provider answers in a way of its own. */
export async function conformed(received: Response, provider: OAuthProvider): Promise<Response> {
  const { tokenResponse } = provider.hooks
  const answer: unknown = (await provider.conformTokens?.(received.clone())) ?? received
  if (!(answer instanceof Response))
    throw new TypeError(`expected providers.${provider.id}.token.conform to return a Response`)
  return usableAnswer(tokenResponse ? await tokenResponse(answer, provider) : answer)
}

/** Reads the answer of a token endpoint: the tokens, and the verified claims where the provider speaks OpenID Connect. */
async function read(answer: Response, { provider, metadata, checks, tools }: GrantContext): Promise<Granted> {
  checkJson(answer)
  const client = clientOf(provider, tools)
  const raw = await jsonOf(answer)
  if (!provider.idToken) {
    await oauth.processAuthorizationCodeResponse(metadata, client, await plainAnswer(answer))
    return { tokens: toTokenSet(raw, tools.runtime.now()), claims: null }
  }
  const issued = { ...metadata, issuer: tokenIssuer(metadata.issuer, raw['id_token']) }
  const result = await oauth.processAuthorizationCodeResponse(issued, client, answer, {
    requireIdToken: true,
    ...(checks.nonce === null ? {} : { expectedNonce: checks.nonce })
  })
  const claims = await verifiedClaims(result, provider, metadata, tools)
  // What was checked is what came: the type is kept as the server wrote it.
  return { tokens: toTokenSet({ ...result, token_type: raw['token_type'] }, tools.runtime.now()), claims }
}

/**
 * Takes the tokens of a `token.request` function for granted, once they are checked as those of the endpoint would be.
 *
 * @throws oauth4webapi's errors, `SignatureError` and `ClaimError`, for the caller to translate.
 */
export async function grantedBy(tokens: Readonly<Record<string, unknown>>, context: GrantContext): Promise<Granted> {
  const { expires_at } = tokens
  const body = JSON.stringify({ token_type: 'bearer', ...tokens })
  const answer = new Response(body, { headers: { 'content-type': 'application/json' } })
  const granted = await read(answer, context)
  return expires_at === undefined
    ? granted
    : { ...granted, tokens: { ...granted.tokens, expires_at: Number(expires_at) } }
}

export async function verifiedClaims(
  result: oauth.TokenEndpointResponse,
  provider: OAuthProvider,
  metadata: Metadata,
  tools: OAuthTools
): Promise<oauth.IDToken> {
  const claims = oauth.getValidatedIdTokenClaims(result)
  const { id_token, access_token } = result
  if (!claims || !id_token) throw new TypeError('expected an ID Token')
  // OpenID Connect lets a client trust the TLS connection instead (§3.1.3.7); we verify always.
  await verifySignature(id_token, { provider, metadata }, tools)
  const now = Math.floor(tools.runtime.now() / 1000)
  await checkClaims(claims, { id_token, access_token }, provider, { now, tolerance: tools.clockTolerance })
  return claims
}
