import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Kakao user profile that Postern reads. */
export interface KakaoProfile {
  readonly id: number
  readonly kakao_account?: {
    readonly email?: string
    readonly is_email_valid?: boolean
    readonly is_email_verified?: boolean
    readonly profile?: { readonly nickname?: string; readonly profile_image_url?: string }
  }
}

/** Sign-in with Kakao. `clientId` and `clientSecret` default to `AUTH_KAKAO_ID` and `AUTH_KAKAO_SECRET`. */
export default function kakao(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'kakao',
    name: 'Kakao',
    type: 'oauth',
    issuer: 'https://kauth.kakao.com',
    authorization: { url: 'https://kauth.kakao.com/oauth/authorize', params: { scope: '' } },
    token: 'https://kauth.kakao.com/oauth/token',
    userinfo: 'https://kapi.kakao.com/v2/user/me',
    verifiesEmail: true,
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, kakao_account: account }: KakaoProfile) => ({
      id: String(id),
      name: account?.profile?.nickname ?? null,
      email: account?.email ?? null,
      image: account?.profile?.profile_image_url ?? null,
      emailVerified: account?.is_email_valid === true && account.is_email_verified === true
    }),
    options
  }
}
