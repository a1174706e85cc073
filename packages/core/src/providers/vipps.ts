import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** Sign-in with Vipps MobilePay. `clientId` and `clientSecret` default to `AUTH_VIPPS_ID` and `AUTH_VIPPS_SECRET`. */
export default function vipps(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'vipps',
    name: 'Vipps',
    type: 'oidc',
    issuer: 'https://api.vipps.no/access-management-1.0/access/',
    idToken: false,
    authorization: { params: { scope: 'openid name email' } },
    style: { bg: '#f05c18', text: '#fff' },
    options
  }
}
