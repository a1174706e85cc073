import * as oauth from 'oauth4webapi'
import { checkJson } from '../http/read-response.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import { clientAuth } from './client-auth.ts'
import { ClaimError } from './id-token.ts'
import { loadMetadata } from './metadata.ts'
import { plainAnswer, toTokenSet } from './token-response.ts'
import { conformed, verifiedClaims } from './token-request.ts'
import { callOptions, clientOf, type OAuthTools } from './context.ts'

/** The tokens that are to be renewed. */
export interface Renewable {
  readonly refreshToken: string
  /** The last ID Token, or `null` where none was kept. */
  readonly idToken: string | null
}

/** @returns Whether a provider said that the grant is over: revoked, expired, or used before (RFC 6749 §5.2). */
export function isGrantOver(error: unknown): boolean {
  return error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant'
}

/**
 * A new ID Token is about whom the old one was about; without an old one nothing is concluded from it, and it is
 * not kept (OpenID Connect Core §12.2).
 */
function checkSameSubject(fresh: oauth.IDToken, previous: string): void {
  const claims = decodeJws(previous)?.claims ?? {}
  if (claims['iss'] !== fresh.iss) throw new ClaimError('iss: the new ID Token is of another issuer')
  if (claims['sub'] !== fresh.sub) throw new ClaimError('sub: the new ID Token is about somebody else')
}

/**
 * Exchanges a refresh token for new tokens.
 *
 * @throws oauth4webapi's errors, `SignatureError` and `ClaimError`, for the caller to translate.
 * @see RFC 6749 §6, OpenID Connect Core §12
 */
export async function requestRefresh(
  { refreshToken, idToken }: Renewable,
  provider: OAuthProvider,
  tools: OAuthTools
): Promise<TokenSet> {
  const metadata = await loadMetadata(provider, tools)
  const client = clientOf(provider, tools)
  const received = await oauth.refreshTokenGrantRequest(
    metadata,
    client,
    await clientAuth(provider, metadata, tools),
    refreshToken,
    callOptions(provider, tools, provider.hooks.tokenRequest)
  )
  const answer = await conformed(received, provider)
  checkJson(answer)
  const usable = provider.idToken && idToken !== null ? answer : await plainAnswer(answer)
  const result = await oauth.processRefreshTokenResponse(metadata, client, usable)
  if (result.id_token && idToken !== null)
    checkSameSubject(await verifiedClaims(result, provider, metadata, tools), idToken)
  return toTokenSet(result, tools.runtime.now())
}
