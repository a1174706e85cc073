import type {
  AccountChange,
  AccountChangeOptions,
  AccountOverview,
  Activity,
  ConnectedAccount,
  Connections,
  Device
} from './account-types.ts'
import { callFeature, FeatureCallError } from './feature.ts'
import { navigate } from './navigate.ts'
import type { CtxOrReq } from './types.ts'

/** A page of the account as data. */
interface Page<T> {
  readonly props: T
}

/** What a route says about a refusal. */
interface Refusal {
  readonly error?: string
  readonly url?: string
  readonly props?: { readonly problem?: string | null }
}

/** Reads a page of the signed-in user. @returns `null` if no user is signed in, or if the user is not stored. */
async function read<T>(path: string, request: CtxOrReq): Promise<T | null> {
  try {
    return (await callFeature<Page<T>>(path, request)).props
  } catch (error) {
    if (error instanceof FeatureCallError && [401, 403].includes(error.status)) return null
    throw error
  }
}

/** Follows the URL of a user who has to authenticate. */
function toRefusal(error: unknown, { callbackUrl, redirect = true }: AccountChangeOptions): AccountChange {
  if (!(error instanceof FeatureCallError)) throw error
  const { error: code, url, props }: Refusal = Object(error.body)
  if (url === undefined || error.status !== 401)
    return { ok: false, error: code ?? props?.problem ?? 'Default', url: null }
  const target = new URL(url, location.href)
  target.searchParams.set('callbackUrl', callbackUrl ?? location.href)
  if (redirect) navigate(target.href)
  return { ok: false, error: 'SessionRequired', url: target.href }
}

async function change(path: string, body: object, options: AccountChangeOptions): Promise<AccountChange> {
  try {
    await callFeature(path, { method: 'POST', body })
    return { ok: true, error: null, url: null }
  } catch (error) {
    return toRefusal(error, options)
  }
}

/** Reads the signed-in user and the sections of the account page. @throws Error if the request failed. */
export const getAccount = (request: CtxOrReq = {}): Promise<AccountOverview | null> => read('account', request)

/** Changes the name of the user; an empty one removes it. @throws Error if the request failed. */
export const updateProfile = (
  { name }: { readonly name: string },
  options: AccountChangeOptions = {}
): Promise<AccountChange> => change('account/profile', { name }, options)

/** Reads the accounts at providers. @throws Error if the request failed. */
export const getConnections = (request: CtxOrReq = {}): Promise<Connections | null> =>
  read('account/connections', request)

/**
 * Goes to a provider to connect an account, and returns to `callbackUrl`. The sign-in must be recent.
 *
 * @throws Error if the request failed.
 */
export async function connectAccount(
  provider: string,
  { callbackUrl = location.href, redirect = true }: AccountChangeOptions = {}
): Promise<AccountChange> {
  const body = { callbackUrl, link: 'true' }
  try {
    const path = `signin/${encodeURIComponent(provider)}`
    const { url } = await callFeature<{ readonly url: string }>(path, { method: 'POST', body })
    if (redirect) navigate(url)
    return { ok: true, error: null, url }
  } catch (error) {
    return toRefusal(error, { callbackUrl, redirect })
  }
}

/**
 * Removes an account at a provider, but never the last way to sign in. Sessions that were created through the provider end.
 *
 * @throws Error if the request failed.
 */
export const disconnectAccount = (
  { provider, providerAccountId }: Pick<ConnectedAccount, 'provider' | 'providerAccountId'>,
  options: AccountChangeOptions = {}
): Promise<AccountChange> => change('account/connections/remove', { provider, providerAccountId }, options)

/** Reads where the user is signed in, this device first, at most 50. @throws Error if the request failed. */
export const getDevices = async (request: CtxOrReq = {}): Promise<readonly Device[] | null> =>
  (await read<{ readonly devices: readonly Device[] }>('account/devices', request))?.devices ?? null

/** Signs the user out on one device. @throws Error if the request failed. */
export const endDevice = (id: string, options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/devices/end', { id }, options)

/** Signs the user out on all other devices. @throws Error if the request failed. */
export const endOtherDevices = (options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/devices/end-others', {}, options)

/**
 * Reads the security events of the user, 25 at a time.
 *
 * @param before - Of the previous page. @defaultValue the newest ones
 * @throws Error if the request failed.
 */
export async function getActivity(before: string | null = null, request: CtxOrReq = {}): Promise<Activity | null> {
  const path = before === null ? 'account/activity' : `account/activity?${new URLSearchParams({ before })}`
  const found = await read<Pick<Activity, 'events'> & { readonly olderUrl: string | null }>(path, request)
  if (!found) return null
  const { events, olderUrl } = found
  return { events, before: olderUrl && new URL(olderUrl, 'https://localhost').searchParams.get('before') }
}

/**
 * Deletes the account of the signed-in user. Ask the user to confirm it before.
 *
 * @throws Error if the request failed.
 */
export const deleteAccount = (options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/delete', { confirmation: 'DELETE' }, options)
