import * as oauth from 'oauth4webapi'
import { serializeError } from '../errors/serialize-error.ts'
import type { AccountTokens } from '../model/account.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { clientAuth } from './client-auth.ts'
import { callOptions, createOAuthClient, type OAuthContext } from './context.ts'
import { loadMetadata } from './metadata.ts'
import { rejectServerError } from './server-error.ts'
import { toTokenResponse } from './token-response.ts'

/** The refresh token comes first: most servers then revoke its access tokens too. */
const kinds = ['refresh_token', 'access_token'] as const

/**
 * Revokes the tokens of an account at the provider, if it has a revocation endpoint.
 *
 * It never rejects: a failure is logged, and the tokens expire on their own.
 *
 * @see RFC 7009
 */
export async function revokeTokens(
  tokens: AccountTokens,
  provider: OAuthProvider,
  oauthContext: OAuthContext
): Promise<void> {
  try {
    const given = kinds.flatMap((kind) => (tokens[kind] ? [{ kind, token: tokens[kind] }] : []))
    if (given.length === 0) return
    const metadata = await loadMetadata(provider, oauthContext)
    if (!metadata.revocation_endpoint) return
    const client = createOAuthClient(provider, oauthContext)
    const auth = await clientAuth(provider, metadata, oauthContext)
    for (const { kind, token } of given) {
      const options = { ...callOptions(provider, oauthContext), additionalParameters: { token_type_hint: kind } }
      const response = await oauth.revocationRequest(metadata, client, auth, token, options)
      if (!response.ok) rejectServerError(await toTokenResponse(response), [provider.clientSecret, token])
      await oauth.processRevocationResponse(response)
    }
  } catch (error) {
    oauthContext.logger.warn('REVOKE_TOKEN_ERROR', { provider: provider.id, ...serializeError(error) })
  }
}
