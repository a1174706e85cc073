import type { OutboundCall } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** Whether users sign in inside the WeChat application, or in a browser with a QR code. */
export type WeChatOptions = OAuthOptions & {
  /** @defaultValue `OfficialAccount` */
  readonly platformType?: 'OfficialAccount' | 'WebsiteApp' | undefined
}

/** The fields of the WeChat user profile that Postern reads. */
export interface WeChatProfile {
  readonly unionid: string
  readonly nickname: string
  readonly headimgurl: string
}

const platforms = {
  OfficialAccount: { path: 'oauth2/authorize', scope: 'snsapi_userinfo' },
  WebsiteApp: { path: 'qrconnect', scope: 'snsapi_login' }
} as const

function get(call: OutboundCall, query: Readonly<Record<string, string>>): OutboundCall {
  const { authorization: _, 'content-type': __, ...headers } = call.headers
  const { origin, pathname } = new URL(call.url)
  return { method: 'GET', url: `${origin}${pathname}?${new URLSearchParams(query)}`, headers, body: null }
}

/** Sign-in with WeChat. `clientId` and `clientSecret` default to `AUTH_WECHAT_ID` and `AUTH_WECHAT_SECRET`. */
export default function weChat({ platformType = 'OfficialAccount', ...options }: WeChatOptions = {}): OAuthConfig {
  const { path, scope } = platforms[platformType]
  return {
    id: 'wechat',
    name: 'WeChat',
    type: 'oauth',
    authorization: {
      url: `https://open.weixin.qq.com/connect/${path}#wechat_redirect`,
      params: { appid: '{clientId}', scope }
    },
    token: 'https://api.weixin.qq.com/sns/oauth2/access_token',
    userinfo: 'https://api.weixin.qq.com/sns/userinfo',
    checks: ['state'],
    hooks: {
      tokenRequest: (call, { clientId, clientSecret }) => {
        const given = new URLSearchParams(call.body ?? '')
        const [code, refresh_token] = [given.get('code'), given.get('refresh_token')]
        if (code)
          return get(call, { appid: clientId, secret: clientSecret ?? '', code, grant_type: 'authorization_code' })
        const url = call.url.replace(/access_token$/, 'refresh_token')
        return get(
          { ...call, url },
          { appid: clientId, grant_type: 'refresh_token', refresh_token: refresh_token ?? '' }
        )
      },
      userinfoRequest: (call, { access_token, openid }) =>
        get(call, { access_token: access_token ?? '', openid: String(openid), lang: 'zh_CN' })
    },
    profile: ({ unionid, nickname, headimgurl }: WeChatProfile) => ({
      id: unionid,
      name: nickname,
      email: null,
      image: headimgurl
    }),
    style: { bg: '#fff', text: '#000' },
    options
  }
}
