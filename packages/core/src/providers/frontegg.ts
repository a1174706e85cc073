import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/**
 * Sign-in with Frontegg. `clientId`, `clientSecret` and `issuer` (`https://<application>.frontegg.com`) default to
 * `AUTH_FRONTEGG_ID`, `AUTH_FRONTEGG_SECRET` and `AUTH_FRONTEGG_ISSUER`.
 */
export default function frontegg(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'frontegg',
    name: 'Frontegg',
    type: 'oidc',
    wellKnown: '{issuer}/oauth/.well-known/openid-configuration',
    authorization: { url: '{issuer}/oauth/authorize' },
    token: { url: '{issuer}/oauth/token' },
    options
  }
}
