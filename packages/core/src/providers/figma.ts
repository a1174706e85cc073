import type { OutboundCall } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Figma user profile that Postern reads. */
export interface FigmaProfile {
  readonly id: string
  readonly handle: string
  readonly email: string
  readonly img_url: string
}

/** Tokens are refreshed at an endpoint of its own. */
function atRefreshEndpoint(call: OutboundCall): OutboundCall {
  const isRefresh = new URLSearchParams(call.body ?? '').get('grant_type') === 'refresh_token'
  return isRefresh ? { ...call, url: call.url.replace(/token$/, 'refresh') } : call
}

/** Sign-in with Figma. `clientId` and `clientSecret` default to `AUTH_FIGMA_ID` and `AUTH_FIGMA_SECRET`. */
export default function figma(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'figma',
    name: 'Figma',
    type: 'oauth',
    authorization: { url: 'https://www.figma.com/oauth', params: { scope: 'current_user:read' } },
    token: 'https://api.figma.com/v1/oauth/token',
    userinfo: 'https://api.figma.com/v1/me',
    checks: ['state'],
    hooks: { tokenRequest: atRefreshEndpoint },
    profile: ({ id, handle, email, img_url }: FigmaProfile) => ({ id, name: handle, email, image: img_url }),
    style: { bg: '#ff7237', text: '#fff' },
    options
  }
}
