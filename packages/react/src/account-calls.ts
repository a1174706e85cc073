import { change, read, readPage, toRefusal } from './account-request.ts'
import type {
  AccountChange,
  AccountChangeOptions,
  AccountOverview,
  AccountSection,
  Activity,
  ConnectedAccount,
  Connections,
  Device,
  EmailState
} from './account-types.ts'
import { callFeature } from './feature.ts'
import { navigate } from './navigate.ts'
import type { CtxOrReq } from './types.ts'

/** A section as the server lists it. */
interface ListedSection extends Omit<AccountSection, 'title' | 'text'> {
  /** The key of its line, and the values of the placeholders. */
  readonly summary: { readonly text: string; readonly values: Readonly<Record<string, string>> } | null
}

function toSection({ summary, ...section }: ListedSection, texts: Readonly<Record<string, string>>): AccountSection {
  const { text = '', values = {} } = summary ?? {}
  const line = (texts[text] ?? '').replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  return { ...section, title: texts[section.id] ?? section.id, text: line || null }
}

/**
 * Reads the signed-in user and the sections of the account page, with their texts in the language of the user.
 *
 * @throws Error if the request failed.
 */
export async function getAccount(request: CtxOrReq = {}): Promise<AccountOverview | null> {
  const page = await readPage<Omit<AccountOverview, 'sections'> & { readonly sections: readonly ListedSection[] }>(
    'account',
    request
  )
  if (!page) return null
  const { props, texts = {} } = page
  return { ...props, sections: props.sections.map((section) => toSection(section, texts)) }
}

/** Changes the name of the user; an empty one removes it. @throws Error if the request failed. */
export const updateProfile = (
  { name }: { readonly name: string },
  options: AccountChangeOptions = {}
): Promise<AccountChange> => change('account/profile', { name }, options)

/** Reads the email address, and what waits of a change. @throws Error if the request failed. */
export const getEmail = (request: CtxOrReq = {}): Promise<EmailState | null> => read('account/email', request)

/**
 * Mails a code to a new address, for `confirmEmail`. The result does not show whether another user has the address.
 *
 * @throws Error if the request failed.
 */
export const changeEmail = (
  { email }: { readonly email: string },
  options: AccountChangeOptions = {}
): Promise<AccountChange> => change('account/email', { email }, options)

/**
 * Proves the new address with the mailed code, within an hour and five attempts. A first or unverified address is replaced at once.
 * Otherwise, the change waits until the owner of the current address confirms it by mail, or for `approveEmailChange`, or 7 days:
 * `getEmail` returns it as `waiting`.
 *
 * @throws Error if the request failed.
 */
export const confirmEmail = (
  { code }: { readonly code: string },
  options: AccountChangeOptions = {}
): Promise<AccountChange> => change('account/email/confirm', { code }, options)

/**
 * Makes the change that waits, for a user who has given the second factor for it at `factorUrl`, and ends the other sessions.
 *
 * @throws Error if the request failed.
 */
export const approveEmailChange = (options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/email/approve', {}, options)

/** Cancels the change that waits. @throws Error if the request failed. */
export const cancelEmailChange = (options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/email/cancel', {}, options)

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
 * Asks for the deletion of the account of the signed-in user. With a grace period of the application, it happens after it, and the user
 * is signed out. Otherwise, it waits until the owner of the address confirms it by mail, or for `approveDeletion`, or 7 days:
 * `getAccount` returns it as `deletion`. Without an owner who could be asked, the account is deleted at once. Ask the user to confirm it
 * before.
 *
 * @throws Error if the request failed.
 */
export const deleteAccount = (options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/delete', { confirmation: 'DELETE' }, options)

/**
 * Deletes the account at once, for a user who has given the second factor for it at `factorUrl`.
 *
 * @throws Error if the request failed.
 */
export const approveDeletion = (options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/delete/approve', {}, options)

/** Cancels the deletion of the account. @throws Error if the request failed. */
export const keepAccount = (options: AccountChangeOptions = {}): Promise<AccountChange> =>
  change('account/delete/cancel', {}, options)
