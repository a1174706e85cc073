import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Concept2 Logbook user profile that Postern reads. */
export interface Concept2Profile {
  readonly data: {
    readonly id: number
    readonly username: string
    readonly email: string
    readonly profile_image: string
  }
}

/** Sign-in with Concept2. `clientId` and `clientSecret` default to `AUTH_CONCEPT2_ID` and `AUTH_CONCEPT2_SECRET`. */
export default function concept2(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'concept2',
    name: 'Concept2',
    type: 'oauth',
    authorization: { url: 'https://log.concept2.com/oauth/authorize', params: { scope: 'user:read,results:write' } },
    token: 'https://log.concept2.com/oauth/access_token',
    userinfo: 'https://log.concept2.com/api/users/me',
    profile: ({ data: { id, username, email, profile_image } }: Concept2Profile) => ({
      id,
      name: username,
      email,
      image: profile_image
    }),
    options
  }
}
