import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Naver user profile that Postern reads. */
export interface NaverProfile {
  readonly response: {
    readonly id: string
    readonly nickname?: string
    readonly email?: string
    readonly profile_image?: string
  }
}

/** Sign-in with Naver. `clientId` and `clientSecret` default to `AUTH_NAVER_ID` and `AUTH_NAVER_SECRET`. */
export default function naver(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'naver',
    name: 'Naver',
    type: 'oauth',
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    userinfo: 'https://openapi.naver.com/v1/nid/me',
    profile: ({ response: { id, nickname, email, profile_image } }: NaverProfile) => ({
      id,
      name: nickname ?? null,
      email: email ?? null,
      image: profile_image ?? null
    }),
    options
  }
}
