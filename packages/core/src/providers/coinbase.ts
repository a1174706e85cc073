import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Coinbase user profile that Postern reads. */
export interface CoinbaseProfile {
  readonly data: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly avatar_url: string
  }
}

/** Sign-in with Coinbase. `clientId` and `clientSecret` default to `AUTH_COINBASE_ID` and `AUTH_COINBASE_SECRET`. */
export default function coinbase(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'coinbase',
    name: 'Coinbase',
    type: 'oauth',
    authorization: {
      url: 'https://login.coinbase.com/oauth2/auth',
      params: { scope: 'wallet:user:email wallet:user:read' }
    },
    token: 'https://login.coinbase.com/oauth2/token',
    userinfo: 'https://api.coinbase.com/v2/user',
    profile: ({ data: { id, name, email, avatar_url } }: CoinbaseProfile) => ({ id, name, email, image: avatar_url }),
    style: { bg: '#0052ff', text: '#fff' },
    options
  }
}
