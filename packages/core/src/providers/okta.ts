import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Okta user profile that Postern reads. */
export interface OktaProfile {
  readonly sub: string
  readonly name?: string | null
  readonly preferred_username: string
  readonly email: string
  readonly picture?: string
}

/**
 * Sign-in with Okta. `clientId`, `clientSecret` and `issuer` (`https://<organization>.okta.com`, or an authorization
 * server under it) default to `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET` and `AUTH_OKTA_ISSUER`.
 */
export default function okta(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'okta',
    name: 'Okta',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid email profile' } },
    profile: ({ sub, name, preferred_username, email, picture }: OktaProfile) => ({
      id: sub,
      name: name ?? preferred_username,
      email,
      image: picture ?? null
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
