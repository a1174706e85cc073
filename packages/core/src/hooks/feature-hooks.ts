import type { AccountKey } from '../adapter/adapter.ts'
import type { TicketKey } from '../adapter/ticket.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { AfterEvent, OnEvent } from './security-event.ts'

/** A session that ended, or all sessions of a user if `sessionId` is `null`. */
export interface EndedSession {
  readonly userId: string
  readonly sessionId: string | null
  /** The request of the user who ended it. @defaultValue none: the application did, or it is part of another change */
  readonly request?: RequestInfo | null | undefined
}

/** The hooks of features that concern users. */
export interface FeatureHooks {
  /** Returns how many ways to sign in a user has through features, if an account is removed. @param removed - `null` for none. */
  readonly waysIn: (userId: string, removed: AccountKey | null) => Promise<number>
  /**
   * Returns how many ways to sign in a user has through the feature of a sign-in method; `null` if the feature does not count
   * them.
   */
  readonly waysInOf: (methodId: string, userId: string) => Promise<number | null>
  /** The writes of features that belong to an event; `null` if no feature has any. */
  readonly onEvent: OnEvent | null
  /** Calls the features after an event; `null` if no feature asked for that. */
  readonly afterEvent: AfterEvent | null
  /** Tells the features that sessions have ended. */
  readonly endSession: (ended: EndedSession) => Promise<void>
  readonly deleteUser: (userId: string) => Promise<void>
  /** Returns the keys of the tickets, as the store names them, that stay when all others of a user are deleted. */
  readonly lastingTickets: (userId: string) => Promise<readonly TicketKey[]>
  /** Returns what each feature stores about a user, by the feature's id. */
  readonly exportData: (userId: string) => Promise<Readonly<Record<string, unknown>>>
}
