import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the OneLogin user profile that Postern reads. */
export interface OneLoginProfile {
  readonly sub: string
  readonly nickname: string
  readonly email: string
  readonly picture?: string
}

/**
 * Sign-in with OneLogin. `clientId`, `clientSecret` and `issuer` (`https://<organization>.onelogin.com`) default to
 * `AUTH_ONELOGIN_ID`, `AUTH_ONELOGIN_SECRET` and `AUTH_ONELOGIN_ISSUER`.
 */
export default function oneLogin(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'onelogin',
    name: 'OneLogin',
    type: 'oauth',
    issuer: '{issuer}/oidc/2',
    idToken: true,
    authorization: { params: { scope: 'openid profile email' } },
    profile: ({ sub, nickname, email, picture }: OneLoginProfile) => ({
      id: sub,
      name: nickname,
      email,
      image: picture ?? null
    }),
    options
  }
}
