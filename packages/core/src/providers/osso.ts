import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Osso user profile that Postern reads. */
export interface OssoProfile {
  readonly id: string
  readonly name?: string
  readonly email: string
}

/**
 * Sign-in with SAML through Osso. `clientId`, `clientSecret` and `issuer` (its URL) default to `AUTH_OSSO_ID`,
 * `AUTH_OSSO_SECRET` and `AUTH_OSSO_ISSUER`.
 */
export default function osso(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'osso',
    name: 'Osso',
    type: 'oauth',
    authorization: { url: '{issuer}/oauth/authorize' },
    token: { url: '{issuer}/oauth/token' },
    userinfo: { url: '{issuer}/oauth/me' },
    profile: ({ id, name, email }: OssoProfile) => ({ id, name: name ?? null, email, image: null }),
    options
  }
}
