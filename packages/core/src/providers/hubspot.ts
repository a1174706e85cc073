import type { OAuthProvider, OutboundCall, TokenSet } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the HubSpot user profile that Postern reads. */
export interface HubSpotProfile {
  readonly user_id: number
  /** The email address. */
  readonly user: string
}

/** The user is in the information about the token (RFC 7662), which HubSpot gives to the client. */
function introspection(call: OutboundCall, { access_token }: TokenSet, provider: OAuthProvider): OutboundCall {
  const { authorization: _, ...headers } = call.headers
  const { clientId, clientSecret } = provider
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret ?? '',
    token: access_token ?? '',
    token_type_hint: 'access_token'
  })
  return {
    ...call,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: String(body)
  }
}

/** Sign-in with HubSpot. `clientId` and `clientSecret` default to `AUTH_HUBSPOT_ID` and `AUTH_HUBSPOT_SECRET`. */
export default function hubspot(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'hubspot',
    name: 'HubSpot',
    type: 'oauth',
    authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
    token: 'https://api.hubapi.com/oauth/v3/token',
    userinfo: 'https://api.hubapi.com/oauth/v3/token/introspect',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: { userinfoRequest: introspection },
    profile: ({ user_id, user }: HubSpotProfile) => ({ id: user_id, name: user, email: user, image: null }),
    style: { bg: '#ff7a59', text: '#fff' },
    options
  }
}
