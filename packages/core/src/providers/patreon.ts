import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Patreon user profile that Postern reads. */
export interface PatreonProfile {
  readonly data: {
    readonly id: string
    readonly attributes: {
      readonly full_name: string
      readonly email?: string
      readonly image_url: string
      readonly is_email_verified?: boolean
    }
  }
}

/** Sign-in with Patreon. `clientId` and `clientSecret` default to `AUTH_PATREON_ID` and `AUTH_PATREON_SECRET`. */
export default function patreon(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'patreon',
    name: 'Patreon',
    type: 'oauth',
    authorization: {
      url: 'https://www.patreon.com/oauth2/authorize',
      params: { scope: 'identity identity[email]' }
    },
    token: 'https://www.patreon.com/api/oauth2/token',
    userinfo: {
      url: 'https://www.patreon.com/api/oauth2/v2/identity',
      params: { 'fields[user]': 'email,full_name,image_url,is_email_verified' }
    },
    verifiesEmail: true,
    profile: ({ data: { id, attributes } }: PatreonProfile) => ({
      id,
      name: attributes.full_name,
      email: attributes.email ?? null,
      image: attributes.image_url,
      emailVerified: attributes.is_email_verified === true
    }),
    style: { bg: '#e85b46', text: '#fff' },
    options
  }
}
