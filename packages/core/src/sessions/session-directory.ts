import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Actor, Authentication } from '../model/authentication.ts'
import { getRecordActor, getRecordAuthentication, type SessionOrigin } from './session-metadata.ts'
import type { SessionKey } from './strategy.ts'

/** A session, as its owner and the application may see it. */
export interface SessionInfo {
  readonly id: string
  readonly userId: string
  /** The user who impersonates `userId` in this session; `null` if `userId` signed in. */
  readonly actor: Actor | null
  /** The configured provider of the sign-in; `null`, like the following fields, if it was not recorded. */
  readonly provider: string | null
  /** How the user was authenticated; what was not recorded is unknown. */
  readonly authentication: Pick<Authentication, 'amr' | 'authTime' | 'provider'>
  /** The User-Agent header of the sign-in, which the client chooses. */
  readonly userAgent: string | null
  /** The IP address of the sign-in. */
  readonly address: string | null
  readonly createdAt: Date | null
  /** When the session was last written: at most `session.updateAge` ago while it is in use. */
  readonly lastSeen: Date | null
  readonly expires: Date
}

/** A session in the list of a user's sessions. */
export interface UserSession extends SessionInfo {
  /** Whether it is the session of the given request; unset if no request was given. */
  readonly isCurrent?: boolean
}

/** The parts of a request that identify its session. */
export type SessionRequest = Pick<AuthRequest, 'origin' | 'cookies'>

/** Selects the sessions to list. */
export interface SessionListOptions {
  /**
   * The maximum number of sessions: the session of the request, and those that expire last. If all sessions have one
   * lifetime, these are the most recently used ones. @defaultValue no limit
   */
  readonly limit?: number | undefined
}

/** A valid session, and how to end it. */
export interface DirectorySession {
  readonly info: SessionInfo
  /** What the session depends on; it ends with each of them. */
  readonly origins: readonly SessionOrigin[]
  /** Ends it: in the transaction of the store, if it is one. */
  readonly end: (store: Store | null) => Promise<void>
  /** This process knows at once that it has ended. */
  readonly forget: () => void
}

/** The adapter methods that each operation lacks; empty if it is available. */
export interface MissingMethods {
  readonly list: readonly string[]
  readonly end: readonly string[]
  readonly endAll: readonly string[]
}

/** Finds and ends the sessions of users; each session strategy has one implementation. */
export interface SessionDirectory {
  readonly missingMethods: MissingMethods
  /**
   * @param limit - The maximum number of sessions: those that expire last.
   * @returns The valid sessions of a user, in no order. @throws AuthError `StoreUnavailable`
   */
  listByUser(userId: string, limit?: number): Promise<readonly DirectorySession[]>
  /** @returns The valid session of a request; `null` if it is not listed. @throws AuthError `StoreUnavailable` */
  findByKey(key: SessionKey): Promise<SessionInfo | null>
  /** @throws AuthError `StoreUnavailable` */
  findById(id: string): Promise<DirectorySession | null>
  /** @returns The session of a record, or `null` if the record belongs to the other strategy. */
  findByRecord(record: SessionRecord): DirectorySession | null
}

/** Sorts sessions by their expiry, the last first: a store may ignore a limit, and has no order. */
export function sortByExpiry<T extends { readonly expires: Date }>(sessions: readonly T[]): readonly T[] {
  return sessions.toSorted((one, other) => other.expires.getTime() - one.expires.getTime())
}

/** Converts a record to the public form. */
export function toSessionInfo(record: SessionRecord): SessionInfo {
  const { id, userId, provider, userAgent, address, createdAt, lastSeen, expires } = record
  const { amr, authTime, provider: reported } = getRecordAuthentication(record)
  const authentication = { amr, authTime, provider: reported }
  const actor = getRecordActor(record)
  return { id, userId, actor, provider, authentication, userAgent, address, createdAt, lastSeen, expires }
}
