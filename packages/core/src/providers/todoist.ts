import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Todoist user profile that Postern reads. */
export interface TodoistProfile {
  readonly id: string
  readonly full_name: string
  readonly email: string
  readonly avatar_big?: string | null
}

/** Sign-in with Todoist. `clientId` and `clientSecret` default to `AUTH_TODOIST_ID` and `AUTH_TODOIST_SECRET`. */
export default function todoist(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'todoist',
    name: 'Todoist',
    type: 'oauth',
    authorization: { url: 'https://todoist.com/oauth/authorize', params: { scope: 'data:read' } },
    token: 'https://todoist.com/oauth/access_token',
    userinfo: 'https://api.todoist.com/api/v1/user',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, full_name, email, avatar_big }: TodoistProfile) => ({
      id,
      name: full_name,
      email,
      image: avatar_big ?? null
    }),
    style: { bg: '#E44332', text: '#000' },
    options
  }
}
