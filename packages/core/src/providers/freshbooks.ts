import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'
import { refreshWithRedirectUri } from './hooks/refresh-with-redirect-uri.ts'

/** The fields of the FreshBooks user profile that Postern reads. */
export interface FreshbooksProfile {
  readonly response: {
    readonly id: number
    readonly first_name?: string | null
    readonly last_name?: string | null
    readonly email: string
  }
}

/** Sign-in with FreshBooks. `clientId` and `clientSecret` default to `AUTH_FRESHBOOKS_ID` and `AUTH_FRESHBOOKS_SECRET`. */
export default function freshbooks(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'freshbooks',
    name: 'Freshbooks',
    type: 'oauth',
    authorization: {
      url: 'https://auth.freshbooks.com/oauth/authorize',
      params: { scope: 'user:profile:read' }
    },
    token: 'https://api.freshbooks.com/auth/oauth/token',
    userinfo: 'https://api.freshbooks.com/auth/api/v1/users/me',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: { tokenRequest: refreshWithRedirectUri },
    profile: ({ response: { id, first_name, last_name, email } }: FreshbooksProfile) => ({
      id,
      name: joinName(first_name, last_name),
      email
    }),
    style: { bg: '#0075dd', text: '#fff' },
    options
  }
}
