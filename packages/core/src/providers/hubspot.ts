import type { OutboundCall } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the HubSpot user profile that Postern reads. */
export interface HubSpotProfile {
  readonly user_id: number
  /** The email address. */
  readonly user: string
}

function withTokenInPath(call: OutboundCall, token: string): OutboundCall {
  const { authorization: _, ...headers } = call.headers
  return { ...call, url: `${call.url}/${encodeURIComponent(token)}`, headers }
}

/** Sign-in with HubSpot. `clientId` and `clientSecret` default to `AUTH_HUBSPOT_ID` and `AUTH_HUBSPOT_SECRET`. */
export default function hubspot(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'hubspot',
    name: 'HubSpot',
    type: 'oauth',
    authorization: { url: 'https://app.hubspot.com/oauth/authorize', params: { scope: 'oauth' } },
    token: 'https://api.hubapi.com/oauth/v1/token',
    userinfo: 'https://api.hubapi.com/oauth/v1/access-tokens',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: { userinfoRequest: (call, { access_token }) => withTokenInPath(call, access_token ?? '') },
    profile: ({ user_id, user }: HubSpotProfile) => ({ id: user_id, name: user, email: user, image: null }),
    style: { bg: '#ff7a59', text: '#fff' },
    options
  }
}
