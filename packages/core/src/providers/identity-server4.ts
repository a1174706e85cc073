import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the IdentityServer user profile that Postern reads. */
export interface IdentityServer4Profile {
  readonly sub: string
  readonly name: string
  readonly email: string
}

/**
 * Sign-in with IdentityServer 4. `clientId`, `clientSecret` and `issuer` default to `AUTH_IDENTITY_SERVER4_ID`,
 * `AUTH_IDENTITY_SERVER4_SECRET` and `AUTH_IDENTITY_SERVER4_ISSUER`.
 */
export default function identityServer4(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'identity-server4',
    name: 'IdentityServer4',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid profile email' } },
    profile: ({ sub, name, email }: IdentityServer4Profile) => ({ id: sub, name, email, image: null }),
    options
  }
}
