import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** `scope` is the registered scope of the application. @defaultValue `public` */
export type DribbbleOptions = OAuthOptions & { readonly scope?: string | undefined }

/** The fields of the Dribbble user profile that Postern reads. */
export interface DribbbleProfile {
  readonly id: number
  readonly name: string
  readonly email?: string
  readonly avatar_url: string
}

/** Sign-in with Dribbble. `clientId` and `clientSecret` default to `AUTH_DRIBBBLE_ID` and `AUTH_DRIBBBLE_SECRET`. */
export default function dribbble({ scope = 'public', ...options }: DribbbleOptions = {}): OAuthConfig {
  return {
    id: 'dribbble',
    name: 'Dribbble',
    type: 'oauth',
    authorization: { url: 'https://dribbble.com/oauth/authorize', params: { scope } },
    token: 'https://dribbble.com/oauth/token',
    userinfo: 'https://api.dribbble.com/v2/user',
    profile: ({ id, name, email, avatar_url }: DribbbleProfile) => ({
      id: String(id),
      name,
      email: email ?? null,
      image: avatar_url
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
