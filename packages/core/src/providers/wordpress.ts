import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the WordPress.com user profile that Postern reads. */
export interface WordPressProfile {
  readonly ID: number
  readonly display_name: string
  readonly email: string
  readonly email_verified?: boolean
  readonly avatar_URL: string
}

/** Sign-in with WordPress.com. `clientId` and `clientSecret` default to `AUTH_WORDPRESS_ID` and `…_SECRET`. */
export default function wordPress(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'wordpress',
    name: 'WordPress.com',
    type: 'oauth',
    authorization: { url: 'https://public-api.wordpress.com/oauth2/authorize', params: { scope: 'auth' } },
    token: 'https://public-api.wordpress.com/oauth2/token',
    userinfo: 'https://public-api.wordpress.com/rest/v1/me',
    profile: ({ ID, display_name, email, email_verified, avatar_URL }: WordPressProfile) => ({
      id: ID,
      name: display_name,
      email,
      image: avatar_URL,
      emailVerified: email_verified === true
    }),
    options
  }
}
