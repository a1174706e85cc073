import type { ProviderHooks } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Atlassian user profile that Postern reads. */
export interface AtlassianProfile {
  readonly account_id: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/** Atlassian calls a dead refresh token `unauthorized_client`, which is its code for an unknown client too. */
const isDead: ProviderHooks['isGrantOver'] = ({ body }) =>
  String(body['error_description']).includes('refresh_token') ? true : null

/** Sign-in with Atlassian. `clientId` and `clientSecret` default to `AUTH_ATLASSIAN_ID` and `AUTH_ATLASSIAN_SECRET`. */
export default function atlassian(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'atlassian',
    name: 'Atlassian',
    type: 'oauth',
    issuer: 'https://auth.atlassian.com',
    authorization: {
      url: 'https://auth.atlassian.com/authorize',
      params: { audience: 'api.atlassian.com', prompt: 'consent', scope: 'read:me' }
    },
    token: 'https://auth.atlassian.com/oauth/token',
    userinfo: 'https://api.atlassian.com/me',
    checks: ['state'],
    hooks: { isGrantOver: isDead },
    profile: ({ account_id, name, email, picture }: AtlassianProfile) => ({
      id: account_id,
      name,
      email,
      image: picture
    }),
    style: { bg: '#fff', text: '#0052cc' },
    options
  }
}
