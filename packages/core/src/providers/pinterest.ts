import type { Profile } from '../model/identity.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Pinterest user profile that Postern reads. */
export interface PinterestProfile {
  readonly id: string
  readonly username: string
  readonly profile_image: string
}

/** next-auth's account id is the username, which can pass to another person. A username of digits may be the id of another user. */
const getFormerId = ({ username }: Profile): string | null =>
  typeof username === 'string' && !/^\d+$/.test(username) ? username : null

/** Sign-in with Pinterest. `clientId` and `clientSecret` default to `AUTH_PINTEREST_ID` and `AUTH_PINTEREST_SECRET`. */
export default function pinterest(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'pinterest',
    name: 'Pinterest',
    type: 'oauth',
    authorization: { url: 'https://www.pinterest.com/oauth', params: { scope: 'user_accounts:read' } },
    token: 'https://api.pinterest.com/v5/oauth/token',
    userinfo: 'https://api.pinterest.com/v5/user_account',
    hooks: { formerAccountId: getFormerId },
    profile: ({ id, username, profile_image }: PinterestProfile) => ({
      id,
      name: username,
      email: null,
      image: profile_image
    }),
    style: { bg: '#bd081c', text: '#fff' },
    options
  }
}
