import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { microsoftHooks, microsoftUser, type PhotoSize } from './hooks/microsoft.ts'

/** `issuer` names the tenant: `https://login.microsoftonline.com/<tenant>/v2.0`. */
export type MicrosoftEntraIDOptions = OAuthOptions & {
  /** @defaultValue `48` */
  readonly profilePhotoSize?: PhotoSize | undefined
}

/**
 * Sign-in with Microsoft Entra ID. `clientId`, `clientSecret` and `issuer` default to `AUTH_MICROSOFT_ENTRA_ID_ID`,
 * `AUTH_MICROSOFT_ENTRA_ID_SECRET` and `AUTH_MICROSOFT_ENTRA_ID_ISSUER`; without an issuer, every tenant is accepted.
 */
export default function microsoftEntraId(given: MicrosoftEntraIDOptions = {}): OAuthConfig {
  const { profilePhotoSize = 48, ...options } = given
  return {
    id: 'microsoft-entra-id',
    name: 'Microsoft Entra ID',
    type: 'oidc',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    authorization: { params: { scope: 'openid profile email User.Read' } },
    hooks: microsoftHooks(profilePhotoSize),
    profile: microsoftUser,
    style: { bg: '#0072c6', text: '#fff' },
    options
  }
}
