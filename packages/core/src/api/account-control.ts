import type { AccessTokens, RenewalOptions } from '../accounts/access-tokens.ts'
import type { UserExport } from '../accounts/export-user.ts'
import { withUserId } from '../accounts/invalid-user-id.ts'
import type { InviteOptions } from '../accounts/invitation.ts'
import type { LinkedAccount } from '../accounts/list-accounts.ts'
import type { RemovalActor, RemovalOptions, RemovedAccount } from '../accounts/unlink-account.ts'
import { loadLazyActions } from '../actions/load-lazy-actions.ts'
import type { AccountKey } from '../adapter/adapter.ts'
import { assertShape, assertTexts } from '../config/assert-arguments.ts'
import type { Services } from '../config/config.ts'
import { AccountError } from '../errors/account-error.ts'
import { isOAuth, oauthProviders } from '../oauth/oauth-provider.ts'
import type { Shape } from '../schema/schema.ts'
import { suggest } from '../schema/suggest.ts'

/** Selects the account whose access token is returned. */
export interface AccessTokenOptions {
  /** Required if a user has several accounts of one provider. */
  readonly providerAccountId?: string | undefined
}

/**
 * Operations on users and their accounts. Each throws `AccountError` `INVALID_USER_ID` for an id that does not have the
 * type of the adapter's column.
 */
export interface AccountControl {
  /** The accounts of users at providers. */
  readonly accounts: {
    /** Lists the accounts of a user, without their tokens. @throws AccountError `ADAPTER_INCOMPLETE` */
    list(userId: string): Promise<readonly LinkedAccount[]>
  }
  /**
   * Removes an account from a user, but never the last way to sign in, and revokes its tokens at the provider. All sessions of
   * the user end, including the caller's own.
   *
   * @throws AccountError `UNKNOWN_ACCOUNT`, `LAST_WAY_IN`; `ADAPTER_INCOMPLETE` if the adapter cannot end sessions and
   * `sessions` is not `'keep'`.
   * @throws TypeError if an argument is invalid; this applies to all methods.
   */
  unlink(userId: string, account: AccountKey, options?: RemovalOptions): Promise<void>
  /**
   * Deletes a user and ends all of their sessions.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE` if the adapter cannot delete users, or cannot end sessions and `sessions`
   * is not `'keep'`.
   */
  deleteUser(userId: string, options?: RemovalOptions): Promise<void>
  /**
   * Allows the owner of the user's current email address to sign in to this user once, through a mailed link or code,
   * or through a provider that is trusted for it. A new invitation replaces the previous one; a change of the address
   * cancels it.
   *
   * @throws AccountError `UNKNOWN_USER`, `NO_EMAIL`, `ADAPTER_INCOMPLETE`
   */
  invite(userId: string, options: InviteOptions): Promise<void>
  /**
   * Returns what is stored about a user, as JSON: the user, the accounts without their tokens, the sessions, and the data
   * of each feature by its id.
   *
   * @throws AccountError `UNKNOWN_USER`, `ADAPTER_INCOMPLETE`
   */
  exportUser(userId: string): Promise<UserExport>
  /**
   * Returns an access token of the user's account, and refreshes it shortly before it expires.
   *
   * @throws AccountError
   */
  getAccessToken(userId: string, provider: string, options?: AccessTokenOptions): Promise<string>
}

/** The operations, with the user who asks for a removal. */
export interface RequestedAccountControl extends Omit<AccountControl, 'unlink' | 'deleteUser'> {
  unlink(userId: string, account: AccountKey, options?: RemovalOptions, actor?: RemovalActor): Promise<RemovedAccount>
  deleteUser(userId: string, options?: RemovalOptions, actor?: RemovalActor): Promise<void>
}

function describeMissingTokens(id: string, providers: Services['providers']): string {
  const known = oauthProviders(providers).map(({ id }) => id)
  const suggestion = suggest(id, known)
  const hint = suggestion ? `did you mean ${suggestion}?` : `there are ${known.join(', ') || 'none'}`
  return `expected the id of a provider that gives access tokens, got ${id}; ${hint}`
}

const removalShape: Shape = { sessions: ['end', 'keep'] }
const inviteShape: Shape = { expiresIn: 'seconds' }

/** Creates `getAccessToken`; concurrent calls share their refreshes. */
function createGetAccessToken(
  { store, providers, oauth, constants }: Services,
  redirectUris: RenewalOptions['redirectUris']
): AccountControl['getAccessToken'] {
  let accessTokens: AccessTokens | null = null
  return async (userId, id, options = {}) => {
    assertTexts('getAccessToken', { userId, provider: id })
    assertShape('getAccessToken', options, { providerAccountId: 'string' })
    const { providerAccountId } = options
    const provider = providers.get(id)
    if (!isOAuth(provider)) throw new AccountError('UNKNOWN_ACCOUNT', describeMissingTokens(id, providers))
    const { AccessTokens } = await loadLazyActions()
    accessTokens ??= new AccessTokens(store, oauth, { renewBefore: constants.tokenRenewBefore, redirectUris })
    const tokens = accessTokens
    return withUserId('getAccessToken', () => tokens.of(userId, provider, providerAccountId))
  }
}

/** The application asks for a removal, and no session. */
const byApplication: RemovalActor = { request: null, acting: null }

/** Creates the account operations of an instance. */
export function accountControl(
  services: Services,
  redirectUris: RenewalOptions['redirectUris']
): RequestedAccountControl {
  const { store, providers, oauth, sessionManager, accountRules, runtime, features, emit, reportsDeletion } = services
  return {
    accounts: {
      list: async (userId) => {
        assertTexts('accounts.list', { userId })
        const { listAccounts } = await loadLazyActions()
        return withUserId('accounts.list', () => listAccounts(userId, store, providers))
      }
    },
    unlink: async (userId, key, options = {}, actor = byApplication) => {
      const { provider: id, providerAccountId } = key ?? {}
      assertTexts('unlink', { userId, 'account.provider': id, 'account.providerAccountId': providerAccountId })
      assertShape('unlink', options, removalShape)
      const { unlink, revokeTokens } = await loadLazyActions()
      const account = { userId, provider: id, providerAccountId }
      const removed = await withUserId('unlink', () =>
        unlink(account, { ...options, ...actor }, sessionManager, accountRules)
      )
      const provider = providers.get(id)
      if (isOAuth(provider)) await revokeTokens(removed.account, provider, oauth)
      return removed
    },
    deleteUser: async (userId, options = {}, actor = byApplication) => {
      assertTexts('deleteUser', { userId })
      assertShape('deleteUser', options, removalShape)
      const { deleteUser } = await loadLazyActions()
      const user = reportsDeletion && store ? await withUserId('deleteUser', () => store.getUser(userId)) : null
      await withUserId('deleteUser', () => deleteUser(userId, { ...options, ...actor }, sessionManager, accountRules))
      if (user) await emit('deleteUser', { user })
    },
    exportUser: async (userId) => {
      assertTexts('exportUser', { userId })
      const { exportUser } = await loadLazyActions()
      return withUserId('exportUser', () => exportUser(userId, sessionManager, features))
    },
    invite: async (userId, options) => {
      assertTexts('invite', { userId })
      assertShape('invite', options, inviteShape, ['expiresIn'])
      const { invite } = await loadLazyActions()
      await withUserId('invite', () => invite(userId, options, store, runtime.now()))
    },
    getAccessToken: createGetAccessToken(services, redirectUris)
  }
}
