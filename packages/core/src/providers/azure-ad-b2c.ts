import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The tenant's name and the user flow, or the `issuer` that both make. */
export type AzureB2COptions = OAuthOptions & {
  readonly tenantId?: string | undefined
  readonly primaryUserFlow?: string | undefined
}

/** What Azure AD B2C says of a user, as far as it is used. */
export interface AzureB2CProfile {
  readonly sub: string
  readonly name: string
  readonly emails?: readonly string[]
}

/** The document names the tenant by its id, not by its name. */
const issuers = /^https:\/\/[^/]+\/(?:tfp\/)?[0-9a-f-]{36}\/(?:[^/]+\/)?v2\.0\/$/

async function checkIssuer(answer: Response): Promise<Response> {
  const document: unknown = await answer
    .clone()
    .json()
    .catch(() => null)
  const issuer = typeof document === 'object' && document !== null && 'issuer' in document ? document.issuer : null
  if (answer.status === 200 && !issuers.test(String(issuer))) throw new TypeError('expected an issuer of Azure AD B2C')
  return answer
}

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
    hooks: { discoveryResponse: checkIssuer },
    profile: ({ sub, name, emails }: AzureB2CProfile) => ({ id: sub, name, email: emails?.[0] ?? null, image: null }),
    style: { bg: '#0072c6', text: '#fff' },
    options
  }
}
