import * as oauth from 'oauth4webapi'
import { checkJson } from '../http/read-response.ts'
import { isObject } from '../model/json-object.ts'
import type { OAuthProvider, RefusedRefresh, TokenSet } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import { clientAuth } from './client-auth.ts'
import { callOptions, createOAuthClient, type OAuthContext, tokenRequestChange } from './context.ts'
import { ClaimError } from './id-token.ts'
import { loadMetadata } from './metadata.ts'
import { getAccountRegion, withRegion } from './regions.ts'
import { rejectServerError, ServerError } from './server-error.ts'
import { type IdTokenClaims, normalizeResponse, verifiedClaims } from './token-request.ts'
import { readPlainResponse, toTokenSet } from './token-response.ts'

/** The tokens to refresh. */
export interface Renewable {
  readonly providerAccountId: string
  readonly refreshToken: string
  /** The last ID Token, or `null` if none was stored. */
  readonly idToken: string | null
  /** The redirect URI, or `null` if the origin is taken from the request. */
  readonly redirectUri: string | null
}

/**
 * A new ID Token must have the subject of the previous one. Without a previous one it is ignored and not stored (OpenID
 * Connect Core §12.2).
 */
function checkSameSubject(fresh: IdTokenClaims, previous: string): void {
  const claims = decodeJws(previous)?.claims ?? {}
  if (claims['iss'] !== fresh.iss) throw new ClaimError('iss: the new ID Token has another issuer')
  if (claims['sub'] !== fresh.sub) throw new ClaimError('sub: the new ID Token has another subject')
}

/**
 * Exchanges a refresh token for new tokens.
 *
 * @throws oauth4webapi's errors, `SignatureError` and `ClaimError`, for the caller to translate.
 * @see RFC 6749 §6, OpenID Connect Core §12
 */
export async function requestRefresh(
  { providerAccountId, refreshToken, idToken, redirectUri }: Renewable,
  provider: OAuthProvider,
  oauthContext: OAuthContext
): Promise<TokenSet> {
  const region = getAccountRegion(providerAccountId, provider)
  const metadata = withRegion(await loadMetadata(provider, oauthContext), region)
  const client = createOAuthClient(provider, oauthContext)
  const received = await oauth.refreshTokenGrantRequest(
    metadata,
    client,
    await clientAuth(provider, metadata, oauthContext),
    refreshToken,
    callOptions(provider, oauthContext, tokenRequestChange(provider, redirectUri))
  )
  const normal = await normalizeResponse(received, provider)
  rejectServerError(normal, [provider.clientSecret, refreshToken])
  checkJson(normal.response)
  const usable = provider.idToken && idToken !== null ? normal.response : readPlainResponse(normal)
  const result = await oauth.processRefreshTokenResponse(metadata, client, usable)
  if (result.id_token && idToken !== null)
    // §12.2 has no other requirement that a new ID Token must meet.
    checkSameSubject(await verifiedClaims(result, provider, metadata, oauthContext), idToken)
  return toTokenSet(result, oauthContext.runtime.now())
}

/** Statuses of the class 4xx that ask for another attempt (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const temporary: readonly number[] = [408, 425, 429]

/** What an error names that a new sign-in of the user does not correct: the client and its configuration, or a limit. */
const others =
  /client|application|\bapp\b|secret|credential|grant_type|scope|\brate\b|limit|throttl|quota|too[_ ]many|slow_down|temporar|unavailable|try[_ ]again|server_error|internal|timeout|time[- ]out/i

const isUrl = (text: string): boolean => /^https?:/i.test(text)

/** Collects the texts of a response, except addresses of its documentation. */
function getTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return isUrl(value) ? [] : [value]
  return isObject(value) ? Object.values(value).flatMap(getTexts) : []
}

/** The general rule, for servers that do not use `invalid_grant` (RFC 6749 §5.2). */
function isRefusedGrant({ status, error, body }: RefusedRefresh): boolean {
  if (status < 400 || status > 499 || temporary.includes(status)) return false
  return ![error ?? '', ...getTexts(body)].some((text) => others.test(text))
}

/**
 * @returns Whether the provider rejected the grant of a refresh: it is revoked, expired or already used. A failure that another
 * attempt or another configuration corrects is not.
 */
export function isGrantOver(error: unknown, { hooks }: Pick<OAuthProvider, 'hooks'>): boolean {
  if (!(error instanceof ServerError)) return false
  const stated = hooks.isGrantOver?.(error) ?? null
  return stated ?? (error.error === 'invalid_grant' || isRefusedGrant(error))
}
