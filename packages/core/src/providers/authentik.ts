import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Authentik user profile that Postern reads. */
export interface AuthentikProfile {
  readonly sub: string
  readonly name?: string | null
  readonly preferred_username: string
  readonly email: string
  readonly picture?: string
}

/**
 * Sign-in with Authentik. `clientId`, `clientSecret` and `issuer` (`https://<host>/application/o/<application>`) default
 * to `AUTH_AUTHENTIK_ID`, `AUTH_AUTHENTIK_SECRET` and `AUTH_AUTHENTIK_ISSUER`.
 */
export default function authentik(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'authentik',
    name: 'Authentik',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid email profile' } },
    profile: ({ sub, name, preferred_username, email, picture }: AuthentikProfile) => ({
      id: sub,
      name: name ?? preferred_username,
      email,
      image: picture ?? null
    }),
    options
  }
}
