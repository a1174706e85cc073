import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Medium user profile that Postern reads. */
export interface MediumProfile {
  readonly data: { readonly id: string; readonly name: string; readonly imageUrl: string }
}

/** Medium responds to token requests with 201 instead of 200. */
function asOk(response: Response): Response {
  return response.status === 201 ? new Response(response.body, { status: 200, headers: response.headers }) : response
}

/** Sign-in with Medium. `clientId` and `clientSecret` default to `AUTH_MEDIUM_ID` and `AUTH_MEDIUM_SECRET`. */
export default function medium(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'medium',
    name: 'Medium',
    type: 'oauth',
    authorization: { url: 'https://medium.com/m/oauth/authorize', params: { scope: 'basicProfile' } },
    token: 'https://api.medium.com/v1/tokens',
    userinfo: 'https://api.medium.com/v1/me',
    hooks: { tokenResponse: asOk },
    profile: ({ data: { id, name, imageUrl } }: MediumProfile) => ({ id, name, email: null, image: imageUrl }),
    options
  }
}
