import type { EndSessionCall, OAuthProvider } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Auth0 user profile that Postern reads. */
export interface Auth0Profile {
  readonly sub: string
  readonly nickname: string
  readonly email: string
  readonly picture: string
}

/** The metadata of older tenants has no end session endpoint; their logout endpoint has parameters of its own. */
function withReturnTo(call: EndSessionCall, { issuer }: OAuthProvider): EndSessionCall {
  if (call.url !== null || issuer === null) return call
  const { client_id = '', post_logout_redirect_uri: returnTo = '' } = call.parameters
  return { url: new URL('/v2/logout', issuer).href, parameters: { client_id, returnTo } }
}

/**
 * Sign-in with Auth0. `clientId`, `clientSecret` and `issuer` (`https://<tenant>.auth0.com`) default to `AUTH_AUTH0_ID`,
 * `AUTH_AUTH0_SECRET` and `AUTH_AUTH0_ISSUER`.
 */
export default function auth0(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'auth0',
    name: 'Auth0',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid email profile' } },
    hooks: { endSession: withReturnTo },
    profile: ({ sub, nickname, email, picture }: Auth0Profile) => ({ id: sub, name: nickname, email, image: picture }),
    style: { bg: '#EB5424', text: '#fff' },
    options
  }
}
