import type { UserExport } from '../accounts/export-user.ts'
import type { LinkedAccount } from '../accounts/list-accounts.ts'
import type { SessionRequest, UserSession } from '../accounts/session-directory.ts'
import type { AccountKey } from '../adapter/adapter.ts'

/** The operations of `app.postern` that concern a user, for features. They throw what those of `app.postern` throw. */
export interface UserOperations {
  readonly accounts: {
    list(userId: string): Promise<readonly LinkedAccount[]>
  }
  readonly sessions: {
    list(userId: string, request?: SessionRequest): Promise<readonly UserSession[]>
    revoke(id: string, userId: string): Promise<boolean>
  }
  unlink(userId: string, account: AccountKey): Promise<void>
  deleteUser(userId: string): Promise<void>
  exportUser(userId: string): Promise<UserExport>
}
