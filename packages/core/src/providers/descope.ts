import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** Sign-in with Descope. `clientId` (the project) and `clientSecret` default to `AUTH_DESCOPE_ID` and `…_SECRET`. */
export default function descope(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'descope',
    name: 'Descope',
    type: 'oidc',
    issuer: 'https://api.descope.com/{clientId}',
    style: { bg: '#1C1C23', text: '#ffffff' },
    options
  }
}
