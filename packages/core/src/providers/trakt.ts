import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Trakt user profile that Postern reads. */
export interface TraktProfile {
  readonly name: string
  readonly ids: { readonly slug: string }
  readonly images: { readonly avatar: { readonly full: string } }
}

/** Sign-in with Trakt. `clientId` and `clientSecret` default to `AUTH_TRAKT_ID` and `AUTH_TRAKT_SECRET`. */
export default function trakt(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'trakt',
    name: 'Trakt',
    type: 'oauth',
    authorization: { url: 'https://trakt.tv/oauth/authorize', params: { scope: '' } },
    token: 'https://api.trakt.tv/oauth/token',
    userinfo: { url: 'https://api.trakt.tv/users/me', params: { extended: 'full' } },
    hooks: {
      userinfoRequest: (call, _tokens, { clientId }) => ({
        ...call,
        headers: { ...call.headers, 'trakt-api-version': '2', 'trakt-api-key': clientId }
      })
    },
    profile: ({ ids, name, images }: TraktProfile) => ({
      id: ids.slug,
      name,
      email: null,
      image: images.avatar.full
    }),
    style: { bg: '#ED2224', text: '#fff' },
    options
  }
}
