import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Reddit user profile that Postern reads. */
export interface RedditProfile {
  readonly id: string
  readonly name: string
}

/** Sign-in with Reddit. `clientId` and `clientSecret` default to `AUTH_REDDIT_ID` and `AUTH_REDDIT_SECRET`. */
export default function reddit(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'reddit',
    name: 'Reddit',
    type: 'oauth',
    authorization: { url: 'https://www.reddit.com/api/v1/authorize', params: { scope: 'identity' } },
    token: 'https://www.reddit.com/api/v1/access_token',
    userinfo: 'https://oauth.reddit.com/api/v1/me',
    checks: ['state'],
    profile: ({ id, name }: RedditProfile) => ({ id, name, email: null, image: null }),
    style: { bg: '#FF4500', text: '#fff' },
    options
  }
}
