import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** `tenantId` is required if several tenants share the issuer's host. */
export type FusionAuthOptions = OAuthOptions & { readonly tenantId?: string | undefined }

/** The fields of the FusionAuth user profile that Postern reads. */
export interface FusionAuthProfile {
  readonly sub: string
  readonly email: string
  readonly preferred_username: string
}

/**
 * Sign-in with FusionAuth. `clientId`, `clientSecret` and `issuer` default to `AUTH_FUSIONAUTH_ID`,
 * `AUTH_FUSIONAUTH_SECRET` and `AUTH_FUSIONAUTH_ISSUER`.
 */
export default function fusionAuth({ tenantId, ...options }: FusionAuthOptions = {}): OAuthConfig {
  const query = tenantId ? `?tenantId=${encodeURIComponent(tenantId)}` : ''
  return {
    id: 'fusionauth',
    name: 'FusionAuth',
    type: 'oauth',
    idToken: true,
    wellKnown: `{issuer}/.well-known/openid-configuration${query}`,
    authorization: { params: { scope: 'openid offline_access email profile', tenantId } },
    profile: ({ sub, email, preferred_username }: FusionAuthProfile) => ({ id: sub, email, name: preferred_username }),
    options
  }
}
