import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** Selects the identity provider; the query of the sign-in form may select one per user. */
export type WorkOSOptions = OAuthOptions & {
  readonly connection?: string | undefined
  readonly organization?: string | undefined
}

/** The fields of the WorkOS user profile that Postern reads. */
export interface WorkOSProfile {
  readonly id: string
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly email: string
  readonly raw_attributes?: { readonly picture?: string | null }
}

/** Sign-in with WorkOS. `clientId` and `clientSecret` default to `AUTH_WORKOS_ID` and `AUTH_WORKOS_SECRET`. */
export default function workOS({ connection, organization, ...options }: WorkOSOptions = {}): OAuthConfig {
  return {
    id: 'workos',
    name: 'WorkOS',
    type: 'oauth',
    issuer: 'https://api.workos.com/',
    authorization: { url: '{issuer}/sso/authorize', params: { connection, organization } },
    token: { url: '{issuer}/sso/token' },
    userinfo: { url: '{issuer}/sso/profile' },
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, first_name, last_name, email, raw_attributes }: WorkOSProfile) => ({
      id,
      name: joinName(first_name, last_name),
      email,
      image: raw_attributes?.picture ?? null
    }),
    style: { bg: '#6363f1', text: '#fff' },
    options
  }
}
