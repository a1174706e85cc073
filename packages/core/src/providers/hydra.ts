import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/**
 * Sign-in with Ory Hydra. `clientId`, `clientSecret` and `issuer` default to `AUTH_HYDRA_ID`, `AUTH_HYDRA_SECRET` and
 * `AUTH_HYDRA_ISSUER`.
 */
export default function hydra(options: OAuthOptions = {}): OAuthConfig {
  return { id: 'hydra', name: 'Hydra', type: 'oidc', style: { bg: '#fff', text: '#0F172A' }, options }
}
