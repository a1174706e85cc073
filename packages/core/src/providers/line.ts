import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the LINE user profile that Postern reads. */
export interface LineProfile {
  readonly sub: string
  readonly name: string
  readonly email?: string
  readonly picture?: string
}

/** Sign-in with LINE. `clientId` and `clientSecret` default to `AUTH_LINE_ID` and `AUTH_LINE_SECRET`. */
export default function line(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'line',
    name: 'LINE',
    type: 'oauth',
    issuer: 'https://access.line.me',
    idToken: true,
    authorization: { params: { scope: 'openid profile' } },
    checks: ['state', 'nonce'],
    client: { id_token_signed_response_alg: 'HS256' },
    profile: ({ sub, name, email, picture }: LineProfile) => ({
      id: sub,
      name,
      email: email ?? null,
      image: picture ?? null
    }),
    style: { bg: '#00C300', text: '#fff' },
    options
  }
}
