import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Instagram user profile that Postern reads. */
export interface InstagramProfile {
  readonly id: string
  readonly username: string
}

/** Sign-in with Instagram. `clientId` and `clientSecret` default to `AUTH_INSTAGRAM_ID` and `AUTH_INSTAGRAM_SECRET`. */
export default function instagram(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'instagram',
    name: 'Instagram',
    type: 'oauth',
    authorization: { url: 'https://api.instagram.com/oauth/authorize', params: { scope: 'user_profile' } },
    token: 'https://api.instagram.com/oauth/access_token',
    userinfo: { url: 'https://graph.instagram.com/me', params: { fields: 'id,username,account_type,name' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, username }: InstagramProfile) => ({ id, name: username, email: null, image: null }),
    style: { bg: '#fff', text: '#000' },
    options
  }
}
