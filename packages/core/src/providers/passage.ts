import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Passage user profile that Postern reads. */
export interface PassageProfile {
  readonly sub: string
  readonly email: string
}

/**
 * Sign-in with Passage. `clientId`, `clientSecret` and `issuer` default to `AUTH_PASSAGE_ID`, `AUTH_PASSAGE_SECRET` and
 * `AUTH_PASSAGE_ISSUER`.
 */
export default function passage(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'passage',
    name: 'Passage',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid email' } },
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ sub, email }: PassageProfile) => ({ id: sub, name: null, email, image: null }),
    style: { bg: '#fff', bgDark: '#fff', text: '#000', textDark: '#000' },
    options
  }
}
