import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { canceledBy } from './hooks/quirks.ts'

/** The fields of the LinkedIn member profile that Postern reads. */
export interface LinkedInProfile {
  readonly sub: string
  readonly name: string
  readonly email?: string
  /** LinkedIn sends it as text. */
  readonly email_verified?: boolean | 'true' | 'false'
  readonly picture?: string
}

/** Sign-in with LinkedIn. `clientId` and `clientSecret` default to `AUTH_LINKEDIN_ID` and `AUTH_LINKEDIN_SECRET`. */
export default function linkedIn(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'linkedin',
    name: 'LinkedIn',
    type: 'oauth',
    issuer: 'https://www.linkedin.com/oauth',
    idToken: true,
    verifiesEmail: true,
    authorization: { params: { scope: 'openid profile email' } },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: { isCanceled: canceledBy('user_cancelled_login', 'user_cancelled_authorize') },
    profile: ({ sub, name, email, email_verified, picture }: LinkedInProfile) => ({
      id: sub,
      name,
      email: email ?? null,
      image: picture ?? null,
      emailVerified: email_verified === true || email_verified === 'true'
    }),
    style: { bg: '#069', text: '#fff' },
    options
  }
}
