import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { mapJson } from './hooks/map-json.ts'

/** The fields of the Instagram user profile that Postern reads. */
export interface InstagramProfile {
  readonly id: string
  readonly username: string
}

/** Newer versions of the API wrap the token response in a list. */
function unwrapped(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [first]: readonly unknown[] = Array.isArray(fields['data']) ? fields['data'] : []
  return { ...fields, ...Object(first) }
}

/** Sign-in with Instagram. `clientId` and `clientSecret` default to `AUTH_INSTAGRAM_ID` and `AUTH_INSTAGRAM_SECRET`. */
export default function instagram(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'instagram',
    name: 'Instagram',
    type: 'oauth',
    authorization: { url: 'https://api.instagram.com/oauth/authorize', params: { scope: 'instagram_business_basic' } },
    token: 'https://api.instagram.com/oauth/access_token',
    userinfo: { url: 'https://graph.instagram.com/me', params: { fields: 'id,username,account_type,name' } },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: { tokenResponse: (response) => mapJson(response, unwrapped) },
    profile: ({ id, username }: InstagramProfile) => ({ id, name: username, email: null, image: null }),
    style: { bg: '#fff', text: '#000' },
    options
  }
}
