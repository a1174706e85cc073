import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Pipedrive user profile that Postern reads. */
export interface PipedriveProfile {
  readonly data: {
    readonly id: number
    readonly name: string
    readonly email: string
    readonly icon_url: string | null
  }
}

/** Sign-in with Pipedrive. `clientId` and `clientSecret` default to `AUTH_PIPEDRIVE_ID` and `AUTH_PIPEDRIVE_SECRET`. */
export default function pipedrive(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'pipedrive',
    name: 'Pipedrive',
    type: 'oauth',
    authorization: 'https://oauth.pipedrive.com/oauth/authorize',
    token: 'https://oauth.pipedrive.com/oauth/token',
    userinfo: 'https://api.pipedrive.com/api/v1/users/me',
    profile: ({ data: { id, name, email, icon_url } }: PipedriveProfile) => ({
      id: String(id),
      name,
      email,
      image: icon_url
    }),
    options
  }
}
