import * as oauth from 'oauth4webapi'
import { checkJson } from '../http/read-response.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import { clientAuth } from './client-auth.ts'
import { callOptions, createOAuthClient, type OAuthContext, tokenRequestChange } from './context.ts'
import { ClaimError } from './id-token.ts'
import { loadMetadata } from './metadata.ts'
import { getAccountRegion, withRegion } from './regions.ts'
import { rejectServerError } from './server-error.ts'
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
  const response = await normalizeResponse(received, provider)
  await rejectServerError(response, [provider.clientSecret, refreshToken])
  checkJson(response)
  const usable = provider.idToken && idToken !== null ? response : await readPlainResponse(response)
  const result = await oauth.processRefreshTokenResponse(metadata, client, usable)
  if (result.id_token && idToken !== null)
    // §12.2 has no other requirement that a new ID Token must meet.
    checkSameSubject(await verifiedClaims(result, provider, metadata, oauthContext), idToken)
  return toTokenSet(result, oauthContext.runtime.now())
}
