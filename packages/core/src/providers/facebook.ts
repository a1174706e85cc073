import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Facebook user profile that Postern reads. */
export interface FacebookProfile {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly picture: { readonly data: { readonly url: string } }
}

/** Sign-in with Facebook. `clientId` and `clientSecret` default to `AUTH_FACEBOOK_ID` and `AUTH_FACEBOOK_SECRET`. */
export default function facebook(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'facebook',
    name: 'Facebook',
    type: 'oauth',
    issuer: 'https://www.facebook.com',
    authorization: { url: 'https://www.facebook.com/v26.0/dialog/oauth', params: { scope: 'email' } },
    token: 'https://graph.facebook.com/oauth/access_token',
    userinfo: { url: 'https://graph.facebook.com/me', params: { fields: 'id,name,email,picture' } },
    profile: ({ id, name, email, picture }: FacebookProfile) => ({
      id,
      name,
      email: email ?? null,
      image: picture.data.url
    }),
    style: { bg: '#006aff', text: '#fff' },
    options
  }
}
