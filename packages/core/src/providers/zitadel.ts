import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the ZITADEL user profile that Postern reads. */
export interface ZitadelProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture?: string
}

/**
 * Sign-in with ZITADEL. `clientId`, `clientSecret` and `issuer` (the URL of the instance) default to `AUTH_ZITADEL_ID`,
 * `AUTH_ZITADEL_SECRET` and `AUTH_ZITADEL_ISSUER`.
 */
export default function zitadel(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'zitadel',
    name: 'ZITADEL',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid email profile' } },
    profile: ({ sub, name, email, picture }: ZitadelProfile) => ({ id: sub, name, email, image: picture ?? null }),
    options
  }
}
