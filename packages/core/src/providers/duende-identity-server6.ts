import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/**
 * Sign-in with Duende IdentityServer 6, with the provider id of Auth.js. `clientId`, `clientSecret` and `issuer`
 * default to `AUTH_DUENDE_IDENTITY_SERVER6_ID`, `…_SECRET` and `…_ISSUER`.
 */
export default function duendeIdentityServer6(options: OAuthOptions = {}): OAuthConfig {
  return { id: 'duende-identity-server6', name: 'DuendeIdentityServer6', type: 'oidc', options }
}
