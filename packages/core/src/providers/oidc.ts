import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The options of a generic OpenID Provider. */
export type OidcOptions = OAuthOptions & {
  readonly id: string
  readonly issuer: string
}

/** Sign-in with any OpenID Provider that supports discovery (OpenID Connect Discovery §4). */
export default function oidc(options: OidcOptions): OAuthConfig
export default function oidc({ id = '', ...options }: Partial<OidcOptions> = {}): OAuthConfig {
  return {
    id,
    name: id,
    type: 'oidc',
    authorization: { params: { scope: 'openid email profile' } },
    checks: ['pkce', 'state', 'nonce'],
    options
  }
}
