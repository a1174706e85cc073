import type { OAuthProvider } from '../model/provider.ts'
import { loadMetadata } from './metadata.ts'
import type { OAuthTools } from './context.ts'

/** What a visitor takes along who signs out at the provider too. */
export interface EndSessionRequest {
  /** The last ID Token, or `null` where none was kept. */
  readonly idToken: string | null
  /** Where the provider sends the visitor back to; it has to be registered there. */
  readonly redirectUri: string
  readonly state: string
}

/**
 * The address at which a provider signs a visitor out.
 *
 * @returns `null` where the provider has none that a visitor may be sent to.
 * @see OpenID Connect RP-Initiated Logout 1.0 §2
 */
export async function endSessionUrl(
  { idToken, redirectUri, state }: EndSessionRequest,
  provider: OAuthProvider,
  tools: OAuthTools
): Promise<string | null> {
  const { end_session_endpoint: endpoint } = await loadMetadata(provider, tools)
  if (endpoint === undefined || !URL.canParse(endpoint)) return null
  const url = new URL(endpoint)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && provider.allowInsecureRequests)) return null
  const parameters = {
    client_id: provider.clientId,
    post_logout_redirect_uri: redirectUri,
    state,
    ...(idToken === null ? {} : { id_token_hint: idToken })
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
