import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** The fields of the VK user profile that Postern reads. */
export interface VkProfile {
  readonly response: readonly [
    { readonly id: number; readonly first_name: string; readonly last_name: string; readonly photo_100: string }
  ]
}

const v = '5.131'

/** Sign-in with VK. `clientId` and `clientSecret` default to `AUTH_VK_ID` and `AUTH_VK_SECRET`. */
export default function vk(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'vk',
    name: 'VK',
    type: 'oauth',
    authorization: { url: 'https://oauth.vk.com/authorize', params: { scope: 'email', v } },
    token: `https://oauth.vk.com/access_token?v=${v}`,
    userinfo: { url: 'https://api.vk.com/method/users.get', params: { fields: 'photo_100', v } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    // The address is in the token response, and not in the profile.
    profile: ({ response: [{ id, first_name, last_name, photo_100 }] }: VkProfile, { email }) => ({
      id,
      name: joinName(first_name, last_name),
      email: typeof email === 'string' ? email : null,
      image: photo_100
    }),
    style: { bg: '#07F', text: '#fff' },
    options
  }
}
