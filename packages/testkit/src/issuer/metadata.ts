import type { Algorithm } from './keys.ts'

/** The metadata of the OpenID Provider (OpenID Connect Discovery §3, RFC 8414 §2). */
export interface IssuerMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
  readonly end_session_endpoint: string
  readonly revocation_endpoint: string
  readonly scopes_supported: string[]
  readonly response_types_supported: string[]
  readonly response_modes_supported: string[]
  readonly grant_types_supported: string[]
  readonly subject_types_supported: string[]
  readonly id_token_signing_alg_values_supported: string[]
  readonly token_endpoint_auth_methods_supported: string[]
  readonly code_challenge_methods_supported: string[]
  readonly claims_supported: string[]
  readonly authorization_response_iss_parameter_supported: boolean
}

export function getMetadata({ issuer, alg }: { readonly issuer: string; readonly alg: Algorithm }): IssuerMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/logout`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: ['openid', 'profile', 'email'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [alg],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['sub', 'name', 'picture', 'email', 'email_verified'],
    authorization_response_iss_parameter_supported: true
  }
}
