import * as oauth from 'oauth4webapi'
import { describe } from '../errors/serialize-error.ts'
import type { AccountTokens } from '../model/account.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { clientAuth } from './client-auth.ts'
import { loadMetadata } from './metadata.ts'
import { callOptions, clientOf, type OAuthTools } from './context.ts'

/** The refresh token first: with it most servers end the access tokens that it gave. */
const kinds = ['refresh_token', 'access_token'] as const

/**
 * Tells the provider that the tokens of an account are not used any more, where it has an endpoint for that.
 *
 * It never rejects: what could not be revoked ends by itself, and is in the log.
 *
 * @see RFC 7009
 */
export async function revokeTokens(tokens: AccountTokens, provider: OAuthProvider, tools: OAuthTools): Promise<void> {
  try {
    const given = kinds.flatMap((kind) => (tokens[kind] ? [{ kind, token: tokens[kind] }] : []))
    if (given.length === 0) return
    const metadata = await loadMetadata(provider, tools)
    if (!metadata.revocation_endpoint) return
    const client = clientOf(provider, tools)
    const auth = await clientAuth(provider, metadata, tools)
    for (const { kind, token } of given) {
      const options = { ...callOptions(provider, tools), additionalParameters: { token_type_hint: kind } }
      await oauth.processRevocationResponse(await oauth.revocationRequest(metadata, client, auth, token, options))
    }
  } catch (error) {
    tools.logger.warn('REVOKE_TOKEN_ERROR', { provider: provider.id, ...describe(error) })
  }
}
