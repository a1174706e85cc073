import type { OAuthProvider } from '../model/provider.ts'
import type { OAuthContext } from './context.ts'
import { loadMetadata } from './metadata.ts'

/** The parameters of a sign-out at the provider. */
export interface EndSessionRequest {
  /** The last ID Token, or `null` if none was stored. */
  readonly idToken: string | null
  /** The post-logout redirect URI; it must be registered with the provider. */
  readonly redirectUri: string
  readonly state: string
}

/**
 * Builds the URL that signs a user out at a provider.
 *
 * @returns `null` if the provider has no usable end session endpoint.
 * @see OpenID Connect RP-Initiated Logout 1.0 §2
 */
export async function endSessionUrl(
  { idToken, redirectUri, state }: EndSessionRequest,
  provider: OAuthProvider,
  oauthContext: OAuthContext
): Promise<string | null> {
  const { end_session_endpoint: endpoint = null } = await loadMetadata(provider, oauthContext)
  const parameters = {
    client_id: provider.clientId,
    post_logout_redirect_uri: redirectUri,
    state,
    ...(idToken === null ? {} : { id_token_hint: idToken })
  }
  const { endSession } = provider.hooks
  const call = endSession ? await endSession({ url: endpoint, parameters }, provider) : { url: endpoint, parameters }
  if (call.url === null || !URL.canParse(call.url)) return null
  // RP-Initiated Logout 1.0 §2.1: TLS.
  const url = new URL(call.url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && provider.allowInsecureRequests)) return null
  for (const [name, value] of Object.entries(call.parameters)) url.searchParams.set(name, value)
  return url.href
}
