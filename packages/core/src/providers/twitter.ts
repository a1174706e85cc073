import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Twitter (X) user profile that Postern reads. */
export interface TwitterProfile {
  readonly data: { readonly id: string; readonly name: string; readonly profile_image_url: string }
}

/** Sign-in with Twitter (X), OAuth 2. `clientId` and `clientSecret` default to `AUTH_TWITTER_ID` and `…_SECRET`. */
export default function twitter(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'twitter',
    name: 'Twitter',
    type: 'oauth',
    authorization: {
      url: 'https://x.com/i/oauth2/authorize',
      params: { scope: 'users.read tweet.read offline.access' }
    },
    token: { url: 'https://api.x.com/2/oauth2/token', params: { client_id: '{clientId}' } },
    userinfo: { url: 'https://api.x.com/2/users/me', params: { 'user.fields': 'profile_image_url' } },
    profile: ({ data: { id, name, profile_image_url } }: TwitterProfile) => ({
      id,
      name,
      email: null,
      image: profile_image_url
    }),
    style: { bg: '#1da1f2', text: '#fff' },
    options
  }
}
