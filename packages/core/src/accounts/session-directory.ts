import type { SessionRecord } from '../adapter/session-record.ts'

/** A session as its owner and the application may see it. */
export interface SessionInfo {
  readonly id: string
  readonly userId: string
  /** The configured provider that the sign-in was through; `null`, like what follows, where that was not noted. */
  readonly provider: string | null
  /** The browser's own description of itself; whoever signed in chose it. */
  readonly userAgent: string | null
  /** The address that the sign-in came from. */
  readonly address: string | null
  readonly createdAt: Date | null
  /** When the session was last written: at most `session.updateAge` ago while it is in use. */
  readonly lastSeen: Date | null
  readonly expires: Date
}

/** A session that counts, and how it is ended. */
export interface KnownSession {
  readonly info: SessionInfo
  readonly providerSessionId: string | null
  readonly end: () => Promise<void>
}

/** What cannot be done for want of methods: their names, or none. */
export interface Lacking {
  readonly list: readonly string[]
  readonly end: readonly string[]
  readonly endAll: readonly string[]
}

/** Where the sessions of users are known: one for each way of keeping them. */
export interface KnownSessions {
  readonly lacking: Lacking
  /** @returns The sessions of a user that count, in no order. @throws AuthError `StoreUnavailable` */
  of(userId: string): Promise<readonly KnownSession[]>
  /** @throws AuthError `StoreUnavailable` */
  byId(id: string): Promise<KnownSession | null>
  /** @returns The session that a record is about, or `null` where it is about another kind of session. */
  byRecord(record: SessionRecord): KnownSession | null
  /** Ends all of a user's, those too that nothing is known of. @throws AuthError `StoreUnavailable` */
  endAll(userId: string): Promise<void>
}

/** What a record shows. */
export function infoOf(record: SessionRecord): SessionInfo {
  const { id, userId, provider, userAgent, address, createdAt, lastSeen, expires } = record
  return { id, userId, provider, userAgent, address, createdAt, lastSeen, expires }
}
