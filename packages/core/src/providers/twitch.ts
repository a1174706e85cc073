import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Twitch user profile that Postern reads. */
export interface TwitchProfile {
  readonly sub: string
  readonly preferred_username: string
  readonly email?: string
  readonly picture: string
}

/** Sign-in with Twitch. `clientId` and `clientSecret` default to `AUTH_TWITCH_ID` and `AUTH_TWITCH_SECRET`. */
export default function twitch(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'twitch',
    name: 'Twitch',
    type: 'oauth',
    issuer: 'https://id.twitch.tv/oauth2',
    idToken: true,
    authorization: {
      params: {
        scope: 'openid user:read:email',
        claims: { id_token: { email: null, picture: null, preferred_username: null } }
      }
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ sub, preferred_username, email, picture }: TwitchProfile) => ({
      id: sub,
      name: preferred_username,
      email: email ?? null,
      image: picture
    }),
    style: { bg: '#65459B', text: '#fff' },
    options
  }
}
