/** The metadata of a session, as the list of a user's sessions shows it. */
export interface SessionRecord {
  /** Identifies the session to its user and the application; not a secret. */
  id: string
  userId: string
  /** The stored form of the session's token; `null` for a JWT session, which is not stored. */
  sessionToken: string | null
  /** The provider of the sign-in. */
  provider: string | null
  /** The provider's id of its own session, the claim `sid` (OpenID Connect Back-Channel Logout 1.0 §2.1). */
  providerSessionId: string | null
  userAgent: string | null
  /** The address of the client at sign-in. */
  address: string | null
  createdAt: Date
  /** When the session was last updated; at most `session.updateAge` ago while it is in use. */
  lastSeen: Date
  expires: Date
  /** The claims of features as JSON; `null` if there are none, or in the token of a JWT session. */
  data?: string | null
}

/** Selects records: those of a user, of an id, or of a provider's session. */
export type SessionRecordQuery =
  | {
      readonly userId: string
      /** The maximum number of records: those that expire last. A store may ignore it, like that of `listSessions`. */
      readonly limit?: number | undefined
    }
  | { readonly id: string }
  | { readonly provider: string; readonly providerSessionId: string }
