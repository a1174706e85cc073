import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { issuerCheck } from './hooks/issuer-check.ts'

/** `tenantId` and `primaryUserFlow`, or the `issuer` that consists of both. */
export type AzureB2COptions = OAuthOptions & {
  readonly tenantId?: string | undefined
  readonly primaryUserFlow?: string | undefined
}

/** The fields of the Azure AD B2C user profile that Postern reads. */
export interface AzureB2CProfile {
  readonly sub: string
  readonly name: string
  readonly emails?: readonly string[]
}

/** The metadata document names the tenant by its id, not by its name. */
const issuers = /^https:\/\/[^/]+\/(?:tfp\/)?[0-9a-f-]{36}\/(?:[^/]+\/)?v2\.0\/$/

/**
 * Sign-in with Azure Active Directory B2C. `clientId`, `clientSecret` and `issuer` default to `AUTH_AZURE_AD_B2C_ID`,
 * `AUTH_AZURE_AD_B2C_SECRET` and `AUTH_AZURE_AD_B2C_ISSUER`.
 */
export default function azureAdB2C({ tenantId, primaryUserFlow, ...options }: AzureB2COptions = {}): OAuthConfig {
  const tenant = tenantId && `https://${tenantId}.b2clogin.com/${tenantId}.onmicrosoft.com/${primaryUserFlow}/v2.0`
  return {
    id: 'azure-ad-b2c',
    name: 'Azure Active Directory B2C',
    type: 'oauth',
    idToken: true,
    issuer: tenant,
    hooks: { discoveryResponse: issuerCheck(issuers, 'Azure AD B2C') },
    profile: ({ sub, name, emails }: AzureB2CProfile) => ({ id: sub, name, email: emails?.[0] ?? null, image: null }),
    style: { bg: '#0072c6', text: '#fff' },
    options
  }
}
