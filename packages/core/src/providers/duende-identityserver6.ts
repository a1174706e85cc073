import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Duende IdentityServer user profile that Postern reads. */
export interface DuendeISUser {
  readonly sub: string
  readonly name: string
  readonly email: string
}

/**
 * Sign-in with Duende IdentityServer 6, with the provider id of next-auth v4. `clientId`, `clientSecret` and `issuer`
 * default to `AUTH_DUENDE_IDENTITYSERVER6_ID`, `…_SECRET` and `…_ISSUER`.
 */
export default function duendeIdentityServer6(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'duende-identityserver6',
    name: 'DuendeIdentityServer6',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid profile email' } },
    profile: ({ sub, name, email }: DuendeISUser) => ({ id: sub, name, email, image: null }),
    options
  }
}
