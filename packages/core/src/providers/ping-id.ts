import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/**
 * Sign-in with Ping Identity. `clientId`, `clientSecret` and `issuer` (`https://auth.pingone.<region>/<environment>/as`)
 * default to `AUTH_PING_ID_ID`, `AUTH_PING_ID_SECRET` and `AUTH_PING_ID_ISSUER`.
 */
export default function pingId(options: OAuthOptions = {}): OAuthConfig {
  return { id: 'ping-id', name: 'Ping Identity', type: 'oidc', options }
}
