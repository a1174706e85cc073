import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { microsoftHooks, microsoftUser, type PhotoSize } from './hooks/microsoft.ts'

/** The options of the Azure Active Directory provider. */
export type AzureADOptions = OAuthOptions & {
  /** The id or name of the tenant, or `common`, `organizations`, `consumers`. @defaultValue `common` */
  readonly tenantId?: string | undefined
  /** @defaultValue `48` */
  readonly profilePhotoSize?: PhotoSize | undefined
}

/** Sign-in with Azure Active Directory. `clientId` and `clientSecret` default to `AUTH_AZURE_AD_ID` and `…_SECRET`. */
export default function azureAd(given: AzureADOptions = {}): OAuthConfig {
  const { tenantId = 'common', profilePhotoSize = 48, ...options } = given
  return {
    id: 'azure-ad',
    name: 'Azure Active Directory',
    type: 'oauth',
    issuer: `https://login.microsoftonline.com/${tenantId}/v2.0`,
    wellKnown: '{issuer}/.well-known/openid-configuration?appid={clientId}',
    idToken: true,
    authorization: { params: { scope: 'openid profile email' } },
    hooks: microsoftHooks(profilePhotoSize),
    profile: microsoftUser,
    style: { bg: '#0072c6', text: '#fff' },
    options
  }
}
