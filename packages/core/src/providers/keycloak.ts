import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { canceledBy } from './hooks/quirks.ts'

/** The fields of the Keycloak user profile that Postern reads. */
export interface KeycloakProfile {
  readonly sub: string
  readonly name?: string | null
  readonly preferred_username: string
  readonly email: string
  readonly picture?: string
}

/**
 * Sign-in with Keycloak. `clientId`, `clientSecret` and `issuer` (`https://<host>/realms/<realm>`) default to
 * `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET` and `AUTH_KEYCLOAK_ISSUER`.
 */
export default function keycloak(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'keycloak',
    name: 'Keycloak',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid email profile' } },
    // A user who cancels the form, in older versions.
    hooks: { isCanceled: canceledBy('interaction_required') },
    profile: ({ sub, name, preferred_username, email, picture }: KeycloakProfile) => ({
      id: sub,
      name: name ?? preferred_username,
      email,
      image: picture ?? null
    }),
    style: { bg: '#fff', text: '#000' },
    options
  }
}
