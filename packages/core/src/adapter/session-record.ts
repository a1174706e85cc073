/** What is known of a session besides whose it is: what a list of someone's devices shows. */
export interface SessionRecord {
  /** Names the session to its owner and to the application; no secret. */
  id: string
  userId: string
  /** What the store keeps of the session's token; `null` for a signed token, which is in no store. */
  sessionToken: string | null
  /** The configured provider that the sign-in was through. */
  provider: string | null
  /** The provider's own name for its session, the claim `sid` (OpenID Connect Back-Channel Logout 1.0 §2.1). */
  providerSessionId: string | null
  userAgent: string | null
  /** The address that the sign-in came from. */
  address: string | null
  createdAt: Date
  /** When the session was last written; at most `session.updateAge` ago while it is in use. */
  lastSeen: Date
  expires: Date
}

/** Which records are wanted: those of a user, the one of an id, or those of a provider's session. */
export type SessionRecordQuery =
  | { readonly userId: string }
  | { readonly id: string }
  | { readonly provider: string; readonly providerSessionId: string }
