import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the SimpleLogin user profile that Postern reads. */
export interface SimpleLoginProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly avatar_url: string | null
}

/** Sign-in with SimpleLogin. `clientId` and `clientSecret` default to `AUTH_SIMPLELOGIN_ID` and `…_SECRET`. */
export default function simpleLogin(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'simplelogin',
    name: 'SimpleLogin',
    type: 'oidc',
    issuer: 'https://app.simplelogin.io',
    profile: ({ sub, name, email, avatar_url }: SimpleLoginProfile) => ({ id: sub, name, email, image: avatar_url }),
    style: { bg: '#e3156a', text: '#fff' },
    options
  }
}
