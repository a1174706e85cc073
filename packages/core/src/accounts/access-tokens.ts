import type { AdapterAccount } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { Account } from '../model/account.ts'
import type { OAuthProvider } from '../model/provider.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { createAccountRow } from '../oauth/profile.ts'
import { isGrantOver, requestRefresh } from '../oauth/refresh-request.ts'

/** How access tokens are renewed. */
export interface RenewalOptions {
  /** Seconds before its expiry in which an access token is renewed. */
  readonly renewBefore: number
  /** As in `Postern`. */
  readonly redirectUris: Readonly<Record<string, string>> | null
}

const needed = ['getAccounts', 'updateAccount', 'withLease'] as const

type CapableStore = { readonly [M in (typeof needed)[number]]: NonNullable<Store[M]> }

/** @throws AccountError `ADAPTER_INCOMPLETE` */
function capable(store: Store | null): CapableStore {
  const { getAccounts, updateAccount, withLease } = store ?? {}
  if (getAccounts && updateAccount && withLease) return { getAccounts, updateAccount, withLease }
  const missing = needed.filter((method) => !store?.[method])
  throw new AccountError('ADAPTER_INCOMPLETE', `expected an adapter with the methods ${missing.join(', ')}`)
}

/** Selects the account. If the user has several accounts of the provider, the caller must name one. */
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

/** Returns access tokens of stored accounts, and renews them shortly before they expire. */
export class AccessTokens {
  readonly #store: Store | null
  readonly #oauth: OAuthContext
  readonly #options: RenewalOptions
  /** The renewals in flight in this process. */
  readonly #inFlight = new Map<string, Promise<string>>()

  constructor(store: Store | null, oauth: OAuthContext, options: RenewalOptions) {
    this.#store = store
    this.#oauth = oauth
    this.#options = options
  }

  /**
   * @param providerAccountId - Selects the account if the user has several accounts of the provider.
   * @returns A valid access token. One that expires within `renewBefore` seconds is renewed first.
   * @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_ACCOUNT`, `GRANT_ENDED`, `REFRESH_FAILED`
   * @throws AuthError `StoreUnavailable`
   */
  async of(userId: string, provider: OAuthProvider, providerAccountId?: string): Promise<string> {
    const store = capable(this.#store)
    const account = chosen(await store.getAccounts(userId), provider.id, providerAccountId)
    return this.#good(account, this.#options.renewBefore) ?? this.#renewOnce(account, provider, store)
  }

  /** @returns The token if it is valid for this many more seconds. A token without an expiry counts as valid. */
  #good({ access_token, expires_at }: Account, seconds: number): string | null {
    const now = this.#oauth.runtime.now() / 1000
    const isGood = expires_at === null || expires_at === undefined || Number(expires_at) > now + seconds
    return access_token && isGood ? access_token : null
  }

  /** Renews an account once at a time: a promise coordinates this process, and a lease coordinates all processes. */
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

  /** Reads the account again under the lease: its previous holder may have renewed the token. */
  async #renew({ userId, providerAccountId }: AdapterAccount, provider: OAuthProvider, store: CapableStore) {
    const account = chosen(await store.getAccounts(userId), provider.id, providerAccountId)
    const { refresh_token: refreshToken, id_token: idToken = null } = account
    const good = this.#good(account, this.#options.renewBefore)
    if (good) return good
    const rest = this.#good(account, 0)
    if (!refreshToken) return rest ?? ended(provider)
    try {
      const redirectUri = this.#options.redirectUris?.[provider.id] ?? null
      const tokens = await requestRefresh(
        { providerAccountId, refreshToken, idToken, redirectUri },
        provider,
        this.#oauth
      )
      const row = await createAccountRow(provider, providerAccountId, tokens)
      await this.#keep({ expires_at: null, ...row }, account, store)
      return tokens.access_token ?? ended(provider)
    } catch (error) {
      return rest ?? (await this.#refused(error, account, provider, store))
    }
  }

  /**
   * Stores the new tokens, unless a sign-in has stored newer ones. A response without a refresh token keeps the stored
   * one.
   */
  async #keep(row: Account, before: AdapterAccount, store: CapableStore): Promise<void> {
    const latest = chosen(await store.getAccounts(before.userId), row.provider, row.providerAccountId)
    // If the adapter supports it, the store compares again while it writes.
    if (latest.refresh_token === before.refresh_token) await store.updateAccount(row, before)
  }

  async #refused(error: unknown, account: AdapterAccount, provider: OAuthProvider, store: CapableStore) {
    this.#oauth.logger.warn('REFRESH_TOKEN_ERROR', { provider: provider.id, ...serializeError(error) })
    if (!isGrantOver(error, provider)) {
      throw new AccountError('REFRESH_FAILED', `${provider.id}: the access token could not be renewed`, error)
    }
    const { provider: id, providerAccountId } = account
    // The provider rejected the refresh token permanently: it is not sent again.
    await this.#keep({ provider: id, type: account.type, providerAccountId, refresh_token: null }, account, store)
    return ended(provider, error)
  }
}

function ended({ id }: OAuthProvider, cause?: unknown): never {
  throw new AccountError('GRANT_ENDED', `${id}: access expired or was revoked; the user must sign in again`, cause)
}
