import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** The fields of the Mattermost user profile that Postern reads. */
export interface MattermostProfile {
  readonly id: string
  readonly username?: string | null
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly email: string
  readonly email_verified?: boolean
}

/**
 * Sign-in with a Mattermost server. `clientId`, `clientSecret` and `issuer` (its URL) default to `AUTH_MATTERMOST_ID`,
 * `AUTH_MATTERMOST_SECRET` and `AUTH_MATTERMOST_ISSUER`.
 */
export default function mattermost(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'mattermost',
    name: 'Mattermost',
    type: 'oauth',
    authorization: { url: '{issuer}/oauth/authorize', params: { scope: 'openid profile email' } },
    token: { url: '{issuer}/oauth/access_token' },
    userinfo: { url: '{issuer}/api/v4/users/me' },
    idToken: false,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username, first_name, last_name, email, email_verified }: MattermostProfile) => ({
      id,
      name: username ?? joinName(first_name, last_name),
      email,
      image: null,
      emailVerified: email_verified === true
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
