import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Beyond Identity user profile that Postern reads. */
export interface BeyondIdentityProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly preferred_username: string
}

/**
 * Sign-in with Beyond Identity. `clientId`, `clientSecret` and `issuer` default to `AUTH_BEYONDIDENTITY_ID`,
 * `AUTH_BEYONDIDENTITY_SECRET` and `AUTH_BEYONDIDENTITY_ISSUER`.
 */
export default function beyondIdentity(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'beyondidentity',
    name: 'Beyond Identity',
    type: 'oidc',
    profile: ({ sub, name, email, preferred_username }: BeyondIdentityProfile) => ({
      id: sub,
      name,
      email,
      image: null,
      preferred_username
    }),
    style: { bg: '#5077c5', text: '#fff' },
    options
  }
}
