import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** Sign-in with Roblox. `clientId` and `clientSecret` default to `AUTH_ROBLOX_ID` and `AUTH_ROBLOX_SECRET`. */
export default function roblox(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'roblox',
    name: 'Roblox',
    type: 'oidc',
    issuer: 'https://apis.roblox.com/oauth/',
    authorization: { params: { scope: 'openid profile' } },
    style: { bg: '#5865F2', text: '#fff' },
    options
  }
}
