import { withUserId } from './accounts/invalid-user-id.ts'
import { loadLazyActions } from './actions/load-lazy-actions.ts'
import { assertTexts } from './config/assert-arguments.ts'
import type { Services } from './config/config.ts'

/**
 * Suspends users. Both methods may be repeated, and throw `AccountError` `INVALID_USER_ID` for an id that does not have
 * the type of the adapter's column.
 */
export interface UserControl {
  /**
   * Suspends a user: every sign-in fails with `UserSuspended` until `resume` is called. Ends all sessions of the user, in
   * other processes within a second (`constants.revocationRefresh`), all pending operations and known devices.
   *
   * @throws AccountError `UNKNOWN_USER`; `ADAPTER_INCOMPLETE` if the adapter does not store tickets or cannot end
   * sessions. Then nothing is changed.
   */
  suspend(userId: string): Promise<void>
  /** Allows a suspended user to sign in again. @throws AccountError `UNKNOWN_USER`, `ADAPTER_INCOMPLETE` */
  resume(userId: string): Promise<void>
}

type UserControlDeps = Pick<
  Services,
  'store' | 'providers' | 'isDatabaseSession' | 'logger' | 'sessionManager' | 'runtime' | 'features'
>

/** Creates the {@link UserControl} of an instance. */
export function userControl({
  store,
  providers,
  isDatabaseSession,
  logger,
  sessionManager,
  runtime: { now, randomBytes },
  features: { onEvent, afterEvent }
}: UserControlDeps): UserControl {
  const hasUnstoredUsers =
    !isDatabaseSession && [...providers.values()].some(({ traits }) => traits.accountPolicy === 'application')
  const deps = { store, sessionManager, hasUnstoredUsers, onEvent, afterEvent, logger, now, randomBytes }
  return {
    suspend: async (userId) => {
      assertTexts('users.suspend', { userId })
      const { suspend } = await loadLazyActions()
      await withUserId('users.suspend', () => suspend(userId, deps))
    },
    resume: async (userId) => {
      assertTexts('users.resume', { userId })
      const { resume } = await loadLazyActions()
      await withUserId('users.resume', () => resume(userId, deps))
    }
  }
}
