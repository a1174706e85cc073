import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** The fields of the Strava athlete profile that Postern reads. */
export interface StravaProfile {
  readonly id: number
  readonly firstname?: string | null
  readonly lastname?: string | null
  readonly profile: string
}

/** Sign-in with Strava. `clientId` and `clientSecret` default to `AUTH_STRAVA_ID` and `AUTH_STRAVA_SECRET`. */
export default function strava(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'strava',
    name: 'Strava',
    type: 'oauth',
    authorization: {
      url: 'https://www.strava.com/api/v3/oauth/authorize',
      params: { scope: 'read', approval_prompt: 'auto' }
    },
    token: 'https://www.strava.com/api/v3/oauth/token',
    userinfo: 'https://www.strava.com/api/v3/athlete',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, firstname, lastname, profile }: StravaProfile) => ({
      id,
      name: joinName(firstname, lastname),
      email: null,
      image: profile
    }),
    options
  }
}
