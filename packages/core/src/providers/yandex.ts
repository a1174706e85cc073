import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Yandex user profile that Postern reads. */
export interface YandexProfile {
  readonly id: string
  readonly display_name?: string | null
  readonly real_name?: string | null
  readonly first_name?: string | null
  readonly default_email?: string | null
  readonly emails?: readonly string[]
  readonly is_avatar_empty?: boolean
  readonly default_avatar_id?: string
}

/** Sign-in with Yandex. `clientId` and `clientSecret` default to `AUTH_YANDEX_ID` and `AUTH_YANDEX_SECRET`. */
export default function yandex(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'yandex',
    name: 'Yandex',
    type: 'oauth',
    authorization: {
      url: 'https://oauth.yandex.ru/authorize',
      params: { scope: 'login:info login:email login:avatar' }
    },
    token: 'https://oauth.yandex.ru/token',
    userinfo: { url: 'https://login.yandex.ru/info', params: { format: 'json' } },
    hooks: {
      userinfoRequest: (call, { access_token }) => ({
        ...call,
        headers: { ...call.headers, authorization: `OAuth ${access_token}` }
      })
    },
    profile: ({ is_avatar_empty, default_avatar_id: avatar, ...user }: YandexProfile) => ({
      id: user.id,
      name: user.display_name ?? user.real_name ?? user.first_name ?? null,
      email: user.default_email ?? user.emails?.[0] ?? null,
      image: !is_avatar_empty && avatar ? `https://avatars.yandex.net/get-yapic/${avatar}/islands-200` : null
    }),
    style: { bg: '#ffcc00', text: '#000' },
    options
  }
}
