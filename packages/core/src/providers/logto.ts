import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Logto user profile that Postern reads. */
export interface LogtoProfile {
  readonly sub: string
  readonly name?: string | null
  readonly username?: string | null
  readonly email?: string | null
  readonly picture?: string | null
}

/**
 * Sign-in with Logto. `clientId`, `clientSecret` and `issuer` (`https://<tenant>.logto.app/oidc`) default to
 * `AUTH_LOGTO_ID`, `AUTH_LOGTO_SECRET` and `AUTH_LOGTO_ISSUER`.
 */
export default function logto(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'logto',
    name: 'Logto',
    type: 'oidc',
    authorization: { params: { scope: 'offline_access openid email profile' } },
    profile: ({ sub, name, username, email, picture }: LogtoProfile) => ({
      id: sub,
      name: name ?? username ?? null,
      email: email ?? null,
      image: picture ?? null
    }),
    options
  }
}
