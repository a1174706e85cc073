import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the FACEIT user profile that Postern reads. */
export interface FACEITProfile {
  readonly guid: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/** Sign-in with FACEIT. `clientId` and `clientSecret` default to `AUTH_FACEIT_ID` and `AUTH_FACEIT_SECRET`. */
export default function faceit(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'faceit',
    name: 'FACEIT',
    type: 'oauth',
    authorization: { url: 'https://accounts.faceit.com/accounts', params: { redirect_popup: 'true' } },
    token: 'https://api.faceit.com/auth/v1/oauth/token',
    userinfo: 'https://api.faceit.com/auth/v1/resources/userinfo',
    profile: ({ guid, name, email, picture }: FACEITProfile) => ({ id: guid, name, email, image: picture }),
    options
  }
}
