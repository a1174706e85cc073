import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Pinterest user profile that Postern reads. */
export interface PinterestProfile {
  readonly username: string
  readonly profile_image: string
}

/** Sign-in with Pinterest. `clientId` and `clientSecret` default to `AUTH_PINTEREST_ID` and `AUTH_PINTEREST_SECRET`. */
export default function pinterest(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'pinterest',
    name: 'Pinterest',
    type: 'oauth',
    authorization: { url: 'https://www.pinterest.com/oauth', params: { scope: 'user_accounts:read' } },
    token: 'https://api.pinterest.com/v5/oauth/token',
    userinfo: 'https://api.pinterest.com/v5/user_account',
    profile: ({ username, profile_image }: PinterestProfile) => ({
      id: username,
      name: username,
      email: null,
      image: profile_image
    }),
    style: { bg: '#bd081c', text: '#fff' },
    options
  }
}
