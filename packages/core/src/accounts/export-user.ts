import { AccountError } from '../errors/account-error.ts'
import type { FeatureHooks } from '../hooks/feature-hooks.ts'
import type { User } from '../model/user.ts'
import type { SessionInfo } from '../sessions/session-directory.ts'
import type { SessionManager } from '../sessions/session-manager.ts'

/** What is stored about a user. */
export interface UserExport {
  readonly user: User
  /** The linked accounts, without their tokens. */
  readonly accounts: readonly { readonly provider: string; readonly type: string; readonly providerAccountId: string }[]
  /** The sessions; `null` if the adapter cannot list them. */
  readonly sessions: readonly SessionInfo[] | null
  /** The data of each feature, by its id. */
  readonly features: Readonly<Record<string, unknown>>
}

/**
 * Collects what is stored about a user.
 *
 * @throws AccountError `UNKNOWN_USER`, `ADAPTER_INCOMPLETE`
 */
export async function exportUser(
  userId: string,
  sessionManager: SessionManager,
  features: FeatureHooks
): Promise<UserExport> {
  const { store } = sessionManager
  if (!store?.getAccounts)
    throw new AccountError('ADAPTER_INCOMPLETE', 'expected an adapter with the method getAccounts')
  const user = await store.getUser(userId)
  if (!user) throw new AccountError('UNKNOWN_USER', 'there is no user with this id')
  const accounts = await store.getAccounts(userId)
  return {
    user,
    accounts: accounts.map(({ provider, type, providerAccountId }) => ({ provider, type, providerAccountId })),
    sessions: sessionManager.can('list') ? await sessionManager.list(userId) : null,
    features: await features.exportData(userId)
  }
}
