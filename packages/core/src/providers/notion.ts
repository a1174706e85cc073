import type { Profile } from '../model/identity.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Notion user profile that Postern reads. */
export interface NotionProfile {
  readonly id: string
  readonly name: string | null
  readonly avatar_url: string | null
  readonly person?: { readonly email?: string }
}

/** The token belongs to a bot; the user who authorized it is its owner. */
function getOwner({ bot }: Profile): Profile {
  const { user }: Profile = { ...Object(Object(bot)['owner']) }
  return { ...Object(user) }
}

/** Sign-in with Notion. `clientId` and `clientSecret` default to `AUTH_NOTION_ID` and `AUTH_NOTION_SECRET`. */
export default function notion(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'notion',
    name: 'Notion',
    type: 'oauth',
    authorization: {
      url: 'https://api.notion.com/v1/oauth/authorize',
      params: { owner: 'user', scope: 'openid profile email' }
    },
    token: 'https://api.notion.com/v1/oauth/token',
    userinfo: 'https://api.notion.com/v1/users/me',
    idToken: false,
    hooks: {
      userinfoRequest: (call) => ({ ...call, headers: { ...call.headers, 'notion-version': '2022-06-28' } }),
      afterProfile: getOwner
    },
    profile: ({ id, name, person, avatar_url }: NotionProfile) => ({
      id,
      name,
      email: person?.email ?? null,
      image: avatar_url
    }),
    style: { bg: '#fff', text: '#000' },
    options
  }
}
