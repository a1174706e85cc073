import type { OAuthConfig } from '../model/provider-config.ts'

export type GoogleOptions = Partial<Omit<OAuthConfig, 'id' | 'type' | 'options'>>

/** What Google says of a user, as far as it is used. */
export interface GoogleProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/** Sign-in with Google. `clientId` and `clientSecret` default to `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`. */
export default function google(options: GoogleOptions = {}): OAuthConfig {
  return {
    id: 'google',
    name: 'Google',
    type: 'oauth',
    issuer: 'https://accounts.google.com',
    wellKnown: 'https://accounts.google.com/.well-known/openid-configuration',
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce', 'state'],
    profile: ({ sub, name, email, picture }: GoogleProfile) => ({ id: sub, name, email, image: picture }),
    style: { bg: '#fff', text: '#1f1f1f' },
    options
  }
}
