import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Google user profile that Postern reads. */
export interface GoogleProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/** Sign-in with Google. `clientId` and `clientSecret` default to `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`. */
export default function google(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'google',
    name: 'Google',
    type: 'oauth',
    issuer: 'https://accounts.google.com',
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    profile: ({ sub, name, email, picture }: GoogleProfile) => ({ id: sub, name, email, image: picture }),
    style: { bg: '#fff', text: '#000' },
    options
  }
}
