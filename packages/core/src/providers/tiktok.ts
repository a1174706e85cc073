import type { OutboundCall } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the TikTok user profile that Postern reads. */
export interface TikTokProfile {
  readonly data: {
    readonly user: { readonly open_id: string; readonly display_name: string; readonly avatar_url: string }
  }
}

/** TikTok names the parameter `client_key` instead of `client_id`. */
function withClientKey(call: OutboundCall): OutboundCall {
  const body = new URLSearchParams(call.body ?? '')
  body.set('client_key', body.get('client_id') ?? '')
  body.delete('client_id')
  return { ...call, body: String(body) }
}

/** Sign-in with TikTok. `clientId` and `clientSecret` default to `AUTH_TIKTOK_ID` and `AUTH_TIKTOK_SECRET`. */
export default function tikTok(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'tiktok',
    name: 'TikTok',
    type: 'oauth',
    authorization: {
      url: 'https://www.tiktok.com/v2/auth/authorize',
      params: { client_key: '{clientId}', scope: 'user.info.basic' }
    },
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    userinfo: {
      url: 'https://open.tiktokapis.com/v2/user/info/',
      params: { fields: 'open_id,avatar_url,display_name' }
    },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: { tokenRequest: withClientKey },
    profile: ({ data: { user } }: TikTokProfile) => ({
      id: user.open_id,
      name: user.display_name,
      email: null,
      image: user.avatar_url
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
