import type { AccessTokenDeps, AccessTokens } from './accounts/access-tokens.ts'
import { AccountError } from './accounts/account-error.ts'
import type { UserExport } from './accounts/export-user.ts'
import { withUserId } from './accounts/invalid-user-id.ts'
import type { InviteOptions } from './accounts/invitation.ts'
import { type LinkedAccount, listAccounts } from './accounts/list-accounts.ts'
import type { RemovalOptions } from './accounts/unlink-account.ts'
import { loadLazyActions } from './actions/load-lazy-actions.ts'
import type { AccountKey } from './adapter/adapter.ts'
import { assertShape, assertTexts } from './config/assert-arguments.ts'
import type { Services } from './config/config.ts'
import type { RequestInfo } from './model/request-info.ts'
import { isOAuth, oauthProviders } from './oauth/oauth-provider.ts'
import type { Shape } from './schema/schema.ts'
import { suggest } from './schema/suggest.ts'

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
   * Removes an account from a user, but never the last way to sign in, and revokes its tokens at the provider. The
   * sessions that were created through the provider end, including the caller's own.
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
   * or through a provider with `verifiesEmail`. A new invitation replaces the previous one; a change of the address
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

/** The operations, with the request of the user who asks for a removal. */
export interface RequestedAccountControl extends AccountControl {
  unlink(userId: string, account: AccountKey, options?: RemovalOptions, request?: RequestInfo | null): Promise<void>
  deleteUser(userId: string, options?: RemovalOptions, request?: RequestInfo | null): Promise<void>
}

function describeMissingTokens(id: string, providers: Services['providers']): string {
  const known = oauthProviders(providers).map(({ id }) => id)
  const suggestion = suggest(id, known)
  const hint = suggestion ? `did you mean ${suggestion}?` : `there are ${known.join(', ') || 'none'}`
  return `expected the id of a provider that gives access tokens, got ${id}; ${hint}`
}

const removalShape: Shape = { sessions: ['end', 'keep'] }
const inviteShape: Shape = { expiresIn: 'seconds' }

type AccountControlDeps = Pick<
  Services,
  | 'store'
  | 'providers'
  | 'oauth'
  | 'logger'
  | 'sessionManager'
  | 'isDatabaseSession'
  | 'constants'
  | 'runtime'
  | 'features'
  | 'emit'
  | 'reportsDeletion'
> &
  Pick<AccessTokenDeps, 'redirectUris'>

/** Creates `getAccessToken`; concurrent calls share their refreshes. */
function createGetAccessToken({
  store,
  providers,
  oauth,
  logger,
  constants,
  redirectUris
}: Pick<
  AccountControlDeps,
  'store' | 'providers' | 'oauth' | 'logger' | 'constants' | 'redirectUris'
>): AccountControl['getAccessToken'] {
  let accessTokens: AccessTokens | null = null
  return async (userId, id, options = {}) => {
    assertTexts('getAccessToken', { userId, provider: id })
    assertShape('getAccessToken', options, { providerAccountId: 'string' })
    const { providerAccountId } = options
    const provider = providers.get(id)
    if (!isOAuth(provider)) throw new AccountError('UNKNOWN_ACCOUNT', describeMissingTokens(id, providers))
    const { AccessTokens } = await loadLazyActions()
    const shared = { store, oauthContext: oauth, logger, redirectUris }
    accessTokens ??= new AccessTokens({ ...shared, renewBefore: constants.tokenRenewBefore })
    const tokens = accessTokens
    return withUserId('getAccessToken', () => tokens.of(userId, provider, providerAccountId))
  }
}

/** Creates the account operations of an instance. */
export function accountControl(services: AccountControlDeps): RequestedAccountControl {
  const { store, providers, oauth, logger, sessionManager, isDatabaseSession, runtime, features } = services
  const { now, randomBytes } = runtime
  const { emit, reportsDeletion } = services
  const shared = { store, providers, sessionManager, isDatabaseSession, features, logger }
  const { onEvent, afterEvent } = features
  const deps = { ...shared, onEvent, afterEvent, now, randomBytes }
  return {
    accounts: {
      list: async (userId) => {
        assertTexts('accounts.list', { userId })
        return withUserId('accounts.list', () => listAccounts(userId, { store, providers }))
      }
    },
    unlink: async (userId, key, options = {}, request = null) => {
      const { provider: id, providerAccountId } = key ?? {}
      assertTexts('unlink', { userId, 'account.provider': id, 'account.providerAccountId': providerAccountId })
      assertShape('unlink', options, removalShape)
      const { unlink, revokeTokens } = await loadLazyActions()
      const account = await withUserId('unlink', () => unlink(userId, key, options, { ...deps, request }))
      const provider = providers.get(account.provider)
      if (isOAuth(provider)) await revokeTokens(account, provider, oauth)
    },
    deleteUser: async (userId, options = {}, request = null) => {
      assertTexts('deleteUser', { userId })
      assertShape('deleteUser', options, removalShape)
      const { deleteUser } = await loadLazyActions()
      const user = reportsDeletion && store ? await withUserId('deleteUser', () => store.getUser(userId)) : null
      await withUserId('deleteUser', () => deleteUser(userId, options, { ...deps, request }))
      if (user) await emit('deleteUser', { user })
    },
    exportUser: async (userId) => {
      assertTexts('exportUser', { userId })
      const { exportUser } = await loadLazyActions()
      return withUserId('exportUser', () => exportUser(userId, deps))
    },
    invite: async (userId, options) => {
      assertTexts('invite', { userId })
      assertShape('invite', options, inviteShape, ['expiresIn'])
      const { invite } = await loadLazyActions()
      await withUserId('invite', () => invite(userId, options, store, runtime.now()))
    },
    getAccessToken: createGetAccessToken(services)
  }
}
