import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** The fields of the BoxyHQ user profile that Postern reads. */
export interface BoxyHQSAMLProfile {
  readonly id: string
  readonly email: string
  readonly firstName?: string
  readonly lastName?: string
}

/**
 * Sign-in with SAML through BoxyHQ. `clientId`, `clientSecret` and `issuer` default to `AUTH_BOXYHQ_SAML_ID`,
 * `AUTH_BOXYHQ_SAML_SECRET` and `AUTH_BOXYHQ_SAML_ISSUER`. Tenant and product are parameters of `authorization`, or
 * part of `clientId`.
 */
export default function boxyHQSAML(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'boxyhq-saml',
    name: 'BoxyHQ SAML',
    type: 'oauth',
    authorization: { url: '{issuer}/api/oauth/authorize', params: { provider: 'saml' } },
    token: { url: '{issuer}/api/oauth/token' },
    userinfo: { url: '{issuer}/api/oauth/userinfo' },
    profile: ({ id, email, firstName, lastName }: BoxyHQSAMLProfile) => ({
      id,
      email,
      name: joinName(firstName, lastName),
      image: null
    }),
    style: { bg: '#25c2a0', text: '#fff' },
    options
  }
}
