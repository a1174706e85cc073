import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the BankID user profile that Postern reads. */
export interface BankIDProfile {
  readonly sub: string
  readonly name: string
  readonly email?: string
}

/** Sign-in with BankID Norge. `clientId` and `clientSecret` default to `AUTH_BANKID_NO_ID` and `AUTH_BANKID_NO_SECRET`. */
export default function bankIdNo(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'bankid-no',
    name: 'BankID Norge',
    type: 'oidc',
    issuer: 'https://auth.bankid.no/auth/realms/prod',
    idToken: false,
    authorization: { params: { ui_locales: 'no', login_hint: 'BIS' } },
    client: { token_endpoint_auth_method: 'client_secret_post', userinfo_signed_response_alg: 'RS256' },
    profile: ({ sub, name, email }: BankIDProfile) => ({ id: sub, name, email: email ?? null, image: null }),
    style: { bg: '#39134c', text: '#fff' },
    options
  }
}
