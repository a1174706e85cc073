import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/**
 * Sign-in with Kinde. `clientId`, `clientSecret` and `issuer` (`https://<business>.kinde.com`) default to
 * `AUTH_KINDE_ID`, `AUTH_KINDE_SECRET` and `AUTH_KINDE_ISSUER`.
 */
export default function kinde(options: OAuthOptions = {}): OAuthConfig {
  return { id: 'kinde', name: 'Kinde', type: 'oidc', style: { bg: '#fff', text: '#0F0F0F' }, options }
}
