import type { UserExport } from '../accounts/export-user.ts'
import type { LinkedAccount } from '../accounts/list-accounts.ts'
import type { AccountKey } from '../adapter/adapter.ts'
import type { EventListOptions, EventPage } from '../adapter/event-record.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { SessionListOptions, SessionRequest, UserSession } from '../sessions/session-directory.ts'
import type { ActingSession } from '../sessions/strategy.ts'
import type { ChangedAccess } from '../sessions/user-versions.ts'

/** Options of an operation. */
export interface UserOperationOptions {
  /** The request of the user who asks for it, for the events. @defaultValue the application asks for it */
  readonly request?: RequestInfo | undefined
  /** The session of the user who asks for it. @defaultValue none is required */
  readonly session?: OperationSession | undefined
}

/** The session that a user asks for an operation with, which `getSession` of a request returns. */
export interface OperationSession {
  readonly acting: ActingSession
  /** Takes the cookies of the session's new token, for the response of the request. */
  continueWith(changed: Pick<ChangedAccess<unknown>, 'cookies' | 'version'>): Promise<void>
}

/** The operations of `app.postern` that concern users, for features. They throw what those of `app.postern` throw. */
export interface UserOperations {
  readonly accounts: {
    list(userId: string): Promise<readonly LinkedAccount[]>
  }
  readonly sessions: {
    list(userId: string, request?: SessionRequest, options?: SessionListOptions): Promise<readonly UserSession[]>
    revoke(id: string, userId: string, options?: Pick<UserOperationOptions, 'request'>): Promise<boolean>
  }
  readonly events: {
    list(options?: EventListOptions): Promise<EventPage>
  }
  unlink(userId: string, account: AccountKey, options?: UserOperationOptions): Promise<void>
  /** Throws what `deleteUser` throws if the store refuses the deletion, without any effect, if the adapter can tell. */
  checkDeletion(userId: string): Promise<void>
  deleteUser(userId: string, options?: UserOperationOptions): Promise<void>
  exportUser(userId: string): Promise<UserExport>
}
