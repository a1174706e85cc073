import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/**
 * Sign-in with Asgardeo. `clientId`, `clientSecret` and `issuer` (`https://api.asgardeo.io/t/<organization>`) default
 * to `AUTH_ASGARDEO_ID`, `AUTH_ASGARDEO_SECRET` and `AUTH_ASGARDEO_ISSUER`.
 */
export default function asgardeo(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'asgardeo',
    name: 'Asgardeo',
    type: 'oidc',
    issuer: '{issuer}/oauth2/token',
    style: { bg: '#000', text: '#fff' },
    options
  }
}
