import type { AdapterAccount } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { describe } from '../errors/serialize-error.ts'
import type { Account } from '../model/account.ts'
import type { Logger } from '../model/logger.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { rowOf } from '../oauth/profile.ts'
import { isGrantOver, requestRefresh } from '../oauth/refresh-request.ts'
import type { OAuthTools } from '../oauth/context.ts'
import { AccountError } from './account-error.ts'

/** What fresh tokens are made with. */
export interface AccessTokenRules {
  readonly store: Store | null
  readonly tools: OAuthTools
  readonly logger: Logger
  /** Seconds before its end in which a token is renewed. */
  readonly renewBefore: number
}

type Needed = 'getAccounts' | 'updateAccount' | 'withLease'
type CapableStore = Store & { readonly [M in Needed]: NonNullable<Store[M]> }

const needed: readonly Needed[] = ['getAccounts', 'updateAccount', 'withLease']

function isCapable(store: Store): store is CapableStore {
  return needed.every((method) => store[method] !== null)
}

/** @throws AccountError `ADAPTER_INCOMPLETE` */
function capable(store: Store | null): CapableStore {
  if (store && isCapable(store)) return store
  const missing = needed.filter((method) => !store?.[method])
  throw new AccountError('ADAPTER_INCOMPLETE', `expected an adapter with the methods ${missing.join(', ')}`)
}

/** The account that is meant; a user with several accounts of a provider has to say which. */
function chosen(
  accounts: readonly AdapterAccount[],
  provider: string,
  providerAccountId: string | undefined
): AdapterAccount {
  const found = accounts.filter(
    (account) =>
      account.provider === provider &&
      (providerAccountId === undefined || account.providerAccountId === providerAccountId)
  )
  const [account] = found
  if (!account) throw new AccountError('UNKNOWN_ACCOUNT', `the user does not have this account of ${provider}`)
  if (found.length > 1)
    throw new AccountError('UNKNOWN_ACCOUNT', `the user has several accounts of ${provider}; name providerAccountId`)
  return account
}

/** Access tokens of stored accounts, renewed when they are about to end. */
export class AccessTokens {
  readonly #rules: AccessTokenRules
  /** Renewals of this process that are under way. */
  readonly #inFlight = new Map<string, Promise<string>>()

  constructor(rules: AccessTokenRules) {
    this.#rules = rules
  }

  /**
   * @param providerAccountId - Which one, where the user has several accounts of the provider.
   * @returns An access token that is good for a while.
   * @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_ACCOUNT`, `GRANT_ENDED`, `REFRESH_FAILED`
   * @throws AuthError `StoreUnavailable`
   */
  async of(userId: string, provider: OAuthProvider, providerAccountId?: string): Promise<string> {
    const store = capable(this.#rules.store)
    const account = chosen(await store.getAccounts(userId), provider.id, providerAccountId)
    return this.#good(account, this.#rules.renewBefore) ?? this.#renewOnce(account, provider, store)
  }

  /** @returns The token, if it is good for so many seconds more; one that does not say when it ends is. */
  #good({ access_token, expires_at }: Account, seconds: number): string | null {
    const now = this.#rules.tools.runtime.now() / 1000
    const isGood = expires_at === null || expires_at === undefined || Number(expires_at) > now + seconds
    return access_token && isGood ? access_token : null
  }

  /** One renewal at a time: in this process by the promise, across processes by the lease. */
  #renewOnce(account: AdapterAccount, provider: OAuthProvider, store: CapableStore): Promise<string> {
    const name = `tokens ${account.provider} ${account.providerAccountId}`
    const running = this.#inFlight.get(name)
    if (running) return running
    const renewing = store
      .withLease(name, () => this.#renew(account, provider, store))
      .finally(() => this.#inFlight.delete(name))
    this.#inFlight.set(name, renewing)
    return renewing
  }

  /** The holder of the lease looks again: whoever had it before may have done the work. */
  async #renew({ userId, providerAccountId }: AdapterAccount, provider: OAuthProvider, store: CapableStore) {
    const account = chosen(await store.getAccounts(userId), provider.id, providerAccountId)
    const { refresh_token: refreshToken, id_token: idToken = null } = account
    const good = this.#good(account, this.#rules.renewBefore)
    if (good) return good
    const rest = this.#good(account, 0)
    if (!refreshToken) return rest ?? ended(provider)
    try {
      const tokens = await requestRefresh({ refreshToken, idToken }, provider, this.#rules.tools)
      const row = await rowOf(provider, providerAccountId, tokens)
      await this.#keep({ expires_at: null, ...row }, account, store)
      return tokens.access_token ?? ended(provider)
    } catch (error) {
      return rest ?? (await this.#refused(error, account, provider, store))
    }
  }

  /** A sign-in may have written newer tokens meanwhile: they stay. An answer without a refresh token keeps the old one. */
  async #keep(row: Account, before: AdapterAccount, store: CapableStore): Promise<void> {
    const latest = chosen(await store.getAccounts(before.userId), row.provider, row.providerAccountId)
    // The store compares once more while it writes, where it can.
    if (latest.refresh_token === before.refresh_token) await store.updateAccount(row, before)
  }

  async #refused(error: unknown, account: AdapterAccount, provider: OAuthProvider, store: CapableStore) {
    const { logger } = this.#rules
    logger.warn('REFRESH_TOKEN_ERROR', { provider: provider.id, ...describe(error) })
    if (!isGrantOver(error)) {
      throw new AccountError('REFRESH_FAILED', `${provider.id}: the access token could not be renewed`, error)
    }
    const { provider: id, providerAccountId } = account
    // The provider is not asked again for what it has refused for good.
    await this.#keep({ provider: id, type: account.type, providerAccountId, refresh_token: null }, account, store)
    return ended(provider, error)
  }
}

function ended({ id }: OAuthProvider, cause?: unknown): never {
  throw new AccountError(
    'GRANT_ENDED',
    `${id}: access has ended or was taken back; the user has to sign in again`,
    cause
  )
}
