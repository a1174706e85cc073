/** The ways of signing in, as an account row names them. */
export type AccountType = 'oauth' | 'oidc' | 'email' | 'credentials'

/** The fields of a token response that an account row keeps (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface AccountTokens {
  access_token?: string | null
  refresh_token?: string | null
  id_token?: string | null
  token_type?: string | null
  scope?: string | null
  session_state?: string | null
  /** When the access token ends, in seconds since 1970. */
  expires_at?: number | null
}

/** A user's link to one provider. The pair (`provider`, `providerAccountId`) is unique. */
export interface Account extends AccountTokens {
  provider: string
  providerAccountId: string
  type: AccountType
  userId?: string
}
