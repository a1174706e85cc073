/** The fields of a session that every application has. */
export interface DefaultSession {
  user?: { name?: string | null | undefined; email?: string | null | undefined; image?: string | null | undefined }
  /** When the session ends, as an ISO 8601 text. */
  expires: string
}

/**
 * The session as the application and its visitors see it.
 *
 * Extend it by declaration merging, as in next-auth v4:
 * `interface Session { user: { role: string } & DefaultSession['user'] }`.
 */
export interface Session extends DefaultSession {}

/** The claims that every session token has. */
export interface DefaultToken {
  name?: string | null
  email?: string | null
  picture?: string | null
  /** The user's id. */
  sub?: string
}

/** The claims of a session token: what the `jwt` callback receives and returns. */
export interface Token extends DefaultToken {
  [claim: string]: unknown
}
