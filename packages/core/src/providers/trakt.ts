import type { Profile } from '../model/identity.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { refreshWithRedirectUri } from './hooks/refresh-with-redirect-uri.ts'

/** The fields of the Trakt user settings that Postern reads. */
export interface TraktProfile {
  readonly username: string
  readonly name?: string | null
  readonly ids: { readonly slug: string; readonly uuid: string }
  readonly images?: { readonly avatar?: { readonly full?: string } }
}

/** next-auth's account id is the slug of the username, which can pass to another person. A slug may look like the id of another user. */
function getFormerId({ ids }: Profile): string | null {
  const { slug }: Profile = { ...Object(ids) }
  return typeof slug === 'string' && !/^[0-9a-f-]{32,}$/i.test(slug) ? slug : null
}

/** Sign-in with Trakt. `clientId` and `clientSecret` default to `AUTH_TRAKT_ID` and `AUTH_TRAKT_SECRET`. */
export default function trakt(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'trakt',
    name: 'Trakt',
    type: 'oauth',
    authorization: { url: 'https://auth.trakt.tv/oauth/authorize', params: { scope: '' } },
    token: 'https://auth.trakt.tv/oauth/token',
    // Only the settings contain the `uuid`, which Trakt recommends to identify users.
    userinfo: 'https://api.trakt.tv/users/settings',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: {
      tokenRequest: refreshWithRedirectUri,
      userinfoRequest: (call, _tokens, { clientId }) => ({
        ...call,
        headers: { ...call.headers, 'trakt-api-version': '2', 'trakt-api-key': clientId }
      }),
      afterProfile: ({ user }) => ({ ...Object(user) }),
      formerAccountId: getFormerId
    },
    profile: ({ ids, name, username, images }: TraktProfile) => ({
      id: ids.uuid,
      name: name || username,
      email: null,
      image: images?.avatar?.full ?? null
    }),
    style: { bg: '#ED2224', text: '#fff' },
    options
  }
}
