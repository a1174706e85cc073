import type { AccessTokens } from './accounts/access-tokens.ts'
import { AccountError } from './accounts/account-error.ts'
import { later } from './actions/load-later.ts'
import type { AccountKey } from './adapter/adapter.ts'
import type { Foundation } from './config/config.ts'
import { expectShape, expectTexts } from './config/expect.ts'
import { nearest } from './schema/suggest.ts'

/** Which account a token is wanted of. */
export interface AccessTokenOptions {
  /** Needed where a user has several accounts of one provider. */
  readonly providerAccountId?: string | undefined
}

/** Users and their accounts, in the hands of the application. */
export interface AccountControl {
  /**
   * Takes an account from a user, never the last way in; its tokens are taken back at the provider.
   *
   * @throws AccountError
   * @throws TypeError an argument that is no text; so do the others.
   */
  unlink(userId: string, account: AccountKey): Promise<void>
  /** Deletes a user; their sessions end. @throws AccountError */
  deleteUser(userId: string): Promise<void>
  /**
   * @returns An access token of the user's account that is good for a while; it is renewed where it is about to end.
   * @throws AccountError
   */
  getAccessToken(userId: string, provider: string, options?: AccessTokenOptions): Promise<string>
}

function noTokensOf(id: string, providers: Foundation['providers']): string {
  const known = [...providers.values()].flatMap(({ id, kind }) => (kind === 'oauth' ? id : []))
  const meant = nearest(id, known)
  const mend = meant ? `did you mean ${meant}?` : `there are ${known.join(', ') || 'none'}`
  return `expected the id of a provider that gives access tokens, got ${id}; ${mend}`
}

/** Makes what the application does with accounts. */
export function accountControl({
  store,
  providers,
  oauth,
  logger,
  devices,
  constants
}: Pick<Foundation, 'store' | 'providers' | 'oauth' | 'logger' | 'devices' | 'constants'>): AccountControl {
  const hasMail = [...providers.values()].some(({ kind }) => kind === 'email')
  let accessTokens: AccessTokens | null = null
  return {
    unlink: async (userId, key) => {
      const { provider: id, providerAccountId } = key ?? {}
      expectTexts('unlink', { userId, 'account.provider': id, 'account.providerAccountId': providerAccountId })
      const { unlink, revokeTokens } = await later()
      const account = await unlink(userId, key, store, hasMail)
      const provider = providers.get(account.provider)
      if (provider?.kind === 'oauth') await revokeTokens(account, provider, oauth)
    },
    deleteUser: async (userId) => {
      expectTexts('deleteUser', { userId })
      const { deleteUser } = await later()
      if (store?.deleteUser && devices.can('endAll')) await devices.endAll(userId)
      await deleteUser(userId, store)
    },
    getAccessToken: async (userId, id, options = {}) => {
      expectTexts('getAccessToken', { userId, provider: id })
      expectShape('getAccessToken', options, { providerAccountId: 'text' })
      const { providerAccountId } = options
      const provider = providers.get(id)
      if (provider?.kind !== 'oauth') throw new AccountError('UNKNOWN_ACCOUNT', noTokensOf(id, providers))
      const { AccessTokens } = await later()
      accessTokens ??= new AccessTokens({ store, tools: oauth, logger, renewBefore: constants.tokenRenewBefore })
      return accessTokens.of(userId, provider, providerAccountId)
    }
  }
}
