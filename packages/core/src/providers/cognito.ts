import type { EndSessionCall } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Cognito user profile that Postern reads. */
export interface CognitoProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture?: string
}

/**
 * The logout endpoint of Cognito has parameters of its own, and no others: with `post_logout_redirect_uri` it shows an error. It
 * returns the user without `state`.
 */
function withLogoutUri({ url, parameters }: EndSessionCall): EndSessionCall {
  const { client_id = '', post_logout_redirect_uri: logout_uri = '' } = parameters
  return { url, parameters: { client_id, logout_uri } }
}

/**
 * Sign-in with Amazon Cognito. `clientId`, `clientSecret` and `issuer` (`https://cognito-idp.<region>.amazonaws.com/<pool>`)
 * default to `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET` and `AUTH_COGNITO_ISSUER`.
 */
export default function cognito(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'cognito',
    name: 'Cognito',
    type: 'oauth',
    idToken: true,
    hooks: { endSession: withLogoutUri },
    profile: ({ sub, name, email, picture }: CognitoProfile) => ({ id: sub, name, email, image: picture ?? null }),
    style: { bg: '#fff', text: '#C17B9E' },
    options
  }
}
