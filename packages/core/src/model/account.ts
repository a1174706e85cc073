import type { Unchecked } from './unchecked.ts'

/** The types of accounts, as stored in an account row; the sign-in methods of features have types of their own. */
export type AccountType = 'oauth' | 'oidc' | 'email' | 'credentials' | (string & {})

/** The fields of a token response that an account row stores (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface AccountTokens {
  access_token?: string | null
  refresh_token?: string | null
  id_token?: string | null
  token_type?: string | null
  scope?: string | null
  session_state?: string | null
  /** When the access token expires, in seconds since 1970. */
  expires_at?: number | null
}

/** A user's link to one provider. The pair (`provider`, `providerAccountId`) is unique. */
export interface Account extends AccountTokens {
  provider: string
  providerAccountId: string
  type: AccountType
  userId?: string
}

/**
 * The account of a sign-in, as callbacks and listeners receive it. It is assignable to next-auth's types of accounts, each of which
 * lists other values of `type`.
 */
export type SignInAccount = {
  provider: string
  providerAccountId: string
  /** An {@link AccountType}. */
  type: Unchecked
  userId?: string
  access_token?: string
  refresh_token?: string
  id_token?: string
  token_type?: Lowercase<string>
  scope?: string
  session_state?: string
  /** When the access token expires, in seconds since 1970. */
  expires_at?: number
}
