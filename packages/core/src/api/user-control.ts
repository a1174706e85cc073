import { withUserId } from '../accounts/invalid-user-id.ts'
import type { UserListOptions, UserPage, UserSelector } from '../accounts/list-users.ts'
import type { StartedImpersonation } from '../actions/impersonation.ts'
import { loadLazyActions } from '../actions/load-lazy-actions.ts'
import type { AdapterUser } from '../adapter/adapter.ts'
import { assertShape, assertTexts } from '../config/assert-arguments.ts'
import type { Config, Services } from '../config/config.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Shape } from '../schema/schema.ts'
import { maxImpersonation } from '../sessions/impersonation.ts'
import { requireConfig } from './sign-in-control.ts'

/** Why and how long a user is impersonated. */
export interface ImpersonateOptions {
  /** Why, for the records: from 1 to 500 characters. */
  readonly reason: string
  /** Seconds until it ends, at most 3600. @defaultValue `3600` */
  readonly expiresIn?: number | undefined
}

/**
 * Finds, lists, suspends and impersonates users. Each method throws `AccountError` `INVALID_USER_ID` for an id that does not
 * have the type of the adapter's column, and `TypeError` for an invalid argument.
 */
export interface UserControl {
  /**
   * Finds a stored user by id, email address or account. Addresses are normalized like those of a sign-in.
   *
   * @returns `null` if there is none.
   * @throws AccountError `ADAPTER_INCOMPLETE` without an adapter; AuthError `StoreUnavailable`
   */
  find(selector: UserSelector): Promise<AdapterUser | null>
  /**
   * Lists the stored users in the order of their ids, some at a time.
   *
   * @throws AccountError `INVALID_CURSOR`; `ADAPTER_INCOMPLETE` if the adapter lacks `listUsers`; AuthError
   * `StoreUnavailable`
   */
  list(options?: UserListOptions): Promise<UserPage>
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
  /**
   * Tells that the application has written an address, an account or anything else that a sign-in decides by. A sign-in that has
   * begun before reads everything again. No session ends. Does nothing if the adapter stores no versions of users.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE` without an adapter; AuthError `StoreUnavailable`
   */
  changed(userId: string): Promise<void>
  /**
   * Creates a session of another user in which the signed-in user acts as that user. It is never fresh, cannot be renewed,
   * cannot change the account, and ends with the session of the signed-in user. The application decides who may call it.
   *
   * @returns When it ends, and the cookies to set: they replace the session of the signed-in user in the browser.
   * @throws AccountError `SIGNED_OUT`, `UNKNOWN_USER`, `ADAPTER_INCOMPLETE`; AuthError `ImpersonationForbidden` in an
   * impersonation and for the signed-in user, `UserSuspended`, `StoreUnavailable`
   */
  impersonate(request: AuthRequest, userId: string, options: ImpersonateOptions): Promise<StartedImpersonation>
  /**
   * Ends the impersonation, and the session that it was started from: no user is signed in afterwards.
   *
   * @returns The cookies to set.
   * @throws AccountError `NOT_IMPERSONATING`, AuthError `StoreUnavailable`
   */
  stopImpersonating(request: AuthRequest): Promise<SetCookies>
}

const listShape: Shape = { limit: { min: 1, max: 100 }, cursor: 'string' }
const impersonateShape: Shape = { reason: 'string', expiresIn: { min: 1, max: maxImpersonation } }
const maxReasonLength = 500

/** @throws TypeError unless exactly one user is selected. */
function assertSelector(selector: UserSelector): void {
  assertShape('users.find', selector, { id: 'string', email: 'string', account: 'object' })
  const given = Object.entries(selector).filter(([, value]) => value !== undefined)
  const [entry, ...others] = given
  if (!entry || others.length > 0)
    throw new TypeError(`users.find: expected one of id, email and account, got ${given.length}`)
  const [name, value] = entry
  const { provider, providerAccountId } = value
  const texts =
    name === 'account'
      ? { 'account.provider': provider, 'account.providerAccountId': providerAccountId }
      : { [name]: value }
  assertTexts('users.find', texts)
}

/** @throws TypeError */
function parseImpersonateOptions(options: ImpersonateOptions): Required<ImpersonateOptions> & { expiresIn: number } {
  assertShape('users.impersonate', options, impersonateShape, ['reason'])
  const { reason, expiresIn = maxImpersonation } = options
  assertTexts('users.impersonate', { reason: reason.trim() })
  if (reason.length > maxReasonLength)
    throw new TypeError(`users.impersonate: expected reason to have at most ${maxReasonLength} characters`)
  return { reason, expiresIn }
}

function createUserReads({ store, keys }: Services): Pick<UserControl, 'find' | 'list'> {
  return {
    find: async (selector) => {
      assertSelector(selector)
      const { findUser } = await loadLazyActions()
      return withUserId('users.find', () => findUser(selector, store))
    },
    list: async (options = {}) => {
      assertShape('users.list', options, listShape)
      const { limit = 25, cursor = null } = options
      const { listUsers } = await loadLazyActions()
      return listUsers({ limit, cursor }, { store, keys })
    }
  }
}

function createImpersonation(
  configFor: (origin: string) => Config | null
): Pick<UserControl, 'impersonate' | 'stopImpersonating'> {
  return {
    impersonate: async (request, userId, options) => {
      assertTexts('users.impersonate', { userId })
      const input = parseImpersonateOptions(options)
      const config = requireConfig('users.impersonate', request, configFor)
      const { impersonate } = await loadLazyActions()
      return impersonate(request, userId, input, config)
    },
    stopImpersonating: async (request) => {
      const config = requireConfig('users.stopImpersonating', request, configFor)
      const { stopImpersonating } = await loadLazyActions()
      return stopImpersonating(request, config)
    }
  }
}

/** Creates the {@link UserControl} of an instance. */
export function userControl(services: Services, configFor: (origin: string) => Config | null): UserControl {
  const { sessionManager, userVersions, accountRules } = services
  return {
    ...createUserReads(services),
    ...createImpersonation(configFor),
    suspend: async (userId) => {
      assertTexts('users.suspend', { userId })
      const { suspend } = await loadLazyActions()
      await withUserId('users.suspend', () => suspend(userId, sessionManager, accountRules))
    },
    resume: async (userId) => {
      assertTexts('users.resume', { userId })
      const { resume } = await loadLazyActions()
      await withUserId('users.resume', () => resume(userId, sessionManager, accountRules))
    },
    changed: async (userId) => {
      assertTexts('users.changed', { userId })
      const change = { userId, raises: false, isForced: true } as const
      await withUserId('users.changed', () => userVersions.change(change, async () => undefined))
    }
  }
}
