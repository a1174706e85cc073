/** The fields of every session. */
export interface DefaultSession {
  user?: { name?: string | null | undefined; email?: string | null | undefined; image?: string | null | undefined }
  /** When the session expires, as an ISO 8601 string. */
  expires: string
  /** The user who impersonates the user of the session; unset if the user signed in. */
  actor?: { readonly userId: string }
}

/**
 * The session as the application and its clients see it.
 *
 * Extend it by declaration merging, as in next-auth v4:
 * `interface Session { user: { role: string } & DefaultSession['user'] }`.
 */
export interface Session extends DefaultSession {}

/** The claims of every session token. */
export interface DefaultToken {
  name?: string | null
  email?: string | null
  picture?: string | null
  /** The user's id. */
  sub?: string
}

/** The claims of a session token: the argument and the result of the `jwt` callback. */
export interface Token extends DefaultToken {
  [claim: string]: unknown
}
