import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Bitbucket user profile that Postern reads. */
export interface BitbucketProfile {
  readonly account_id: string
  readonly display_name?: string | null
  readonly username: string
  readonly links: { readonly avatar: { readonly href: string } }
}

/** Sign-in with Bitbucket. `clientId` and `clientSecret` default to `AUTH_BITBUCKET_ID` and `AUTH_BITBUCKET_SECRET`. */
export default function bitbucket(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'bitbucket',
    name: 'Bitbucket',
    type: 'oauth',
    authorization: { url: 'https://bitbucket.org/site/oauth2/authorize', params: { scope: 'account' } },
    token: 'https://bitbucket.org/site/oauth2/access_token',
    userinfo: 'https://api.bitbucket.org/2.0/user',
    profile: ({ account_id, display_name, username, links }: BitbucketProfile) => ({
      id: account_id,
      name: display_name ?? username,
      image: links.avatar.href
    }),
    style: { bg: '#205081', text: '#fff' },
    options
  }
}
