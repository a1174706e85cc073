import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** `apiBaseUrl` is the URL of another cluster. @defaultValue `https://webexapis.com/v1` */
export type WebexOptions = OAuthOptions & { readonly apiBaseUrl?: string | undefined }

/** The fields of the Webex user profile that Postern reads. */
export interface WebexProfile {
  readonly id: string
  readonly displayName: string
  readonly emails: readonly string[]
  readonly avatar?: string
}

/** Sign-in with Webex. `clientId` and `clientSecret` default to `AUTH_WEBEX_ID` and `AUTH_WEBEX_SECRET`. */
export default function webex({ apiBaseUrl = 'https://webexapis.com/v1', ...options }: WebexOptions = {}): OAuthConfig {
  return {
    id: 'webex',
    name: 'Webex',
    type: 'oauth',
    authorization: { url: `${apiBaseUrl}/authorize`, params: { scope: 'spark:kms spark:people_read' } },
    token: `${apiBaseUrl}/access_token`,
    userinfo: `${apiBaseUrl}/people/me`,
    profile: ({ id, displayName, emails, avatar }: WebexProfile) => ({
      id,
      name: displayName,
      email: emails[0] ?? null,
      image: avatar ?? null
    }),
    options
  }
}
