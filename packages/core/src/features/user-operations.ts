import type { UserExport } from '../accounts/export-user.ts'
import type { LinkedAccount } from '../accounts/list-accounts.ts'
import type { SessionListOptions, SessionRequest, UserSession } from '../accounts/session-directory.ts'
import type { AccountKey } from '../adapter/adapter.ts'
import type { EventListOptions, EventPage } from '../adapter/event-page.ts'
import type { RequestInfo } from '../model/request-info.ts'

/** Options of an operation. */
export interface UserOperationOptions {
  /** The request of the user who asks for it, for the events. @defaultValue the application asks for it */
  readonly request?: RequestInfo | undefined
}

/** The operations of `app.postern` that concern users, for features. They throw what those of `app.postern` throw. */
export interface UserOperations {
  readonly accounts: {
    list(userId: string): Promise<readonly LinkedAccount[]>
  }
  readonly sessions: {
    list(userId: string, request?: SessionRequest, options?: SessionListOptions): Promise<readonly UserSession[]>
    revoke(id: string, userId: string, options?: UserOperationOptions): Promise<boolean>
  }
  readonly events: {
    list(options?: EventListOptions): Promise<EventPage>
  }
  unlink(userId: string, account: AccountKey, options?: UserOperationOptions): Promise<void>
  deleteUser(userId: string, options?: UserOperationOptions): Promise<void>
  exportUser(userId: string): Promise<UserExport>
}
