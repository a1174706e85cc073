import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Box user profile that Postern reads. */
export interface BoxProfile {
  readonly id: string
  readonly name: string
  readonly login: string
  readonly avatar_url: string
}

/** Sign-in with Box. `clientId` and `clientSecret` default to `AUTH_BOX_ID` and `AUTH_BOX_SECRET`. */
export default function box(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'box',
    name: 'Box',
    type: 'oauth',
    authorization: 'https://account.box.com/api/oauth2/authorize',
    token: 'https://api.box.com/oauth2/token',
    userinfo: 'https://api.box.com/2.0/users/me',
    profile: ({ id, name, login, avatar_url }: BoxProfile) => ({ id, name, email: login, image: avatar_url }),
    style: { bg: '#0075C9', text: '#fff' },
    options
  }
}
