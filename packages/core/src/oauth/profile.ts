import type { Account } from '../model/account.ts'
import { accountIdOf } from '../model/account-id.ts'
import type { Identity, Profile } from '../model/identity.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'

/** Characters of a name; nobody's is longer, and a session has to fit into cookies. */
const longestName = 1000
/** Characters of an address (RFC 5321 §4.5.3.1.3). */
const longestAddress = 254

/** What moves the cursor of a terminal or turns a line round: nothing of it belongs to a name (Unicode TR36 §3.2). */
const disguises = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** @returns The name on one line, as far as it is one. */
export function nameOf(value: unknown): string | null {
  return textOrNull(textOrNull(value)?.replaceAll(disguises, ' ').slice(0, longestName).trim())
}

/**
 * @returns The address in lower case, or `null` for what is not one address: a list or a display name would reach
 * somebody else when the application sends a mail.
 */
export function addressOf(value: unknown): string | null {
  const address = textOrNull(value)?.trim().toLowerCase() ?? ''
  return address.length <= longestAddress && /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u.test(address)
    ? address
    : null
}

/** @returns The address of a picture; one that would run as a script or open as a page is none. */
export function pictureOf(value: unknown): string | null {
  const address = textOrNull(value)?.replaceAll(/\p{Cc}/gu, '')
  return address && /^(https?:|data:image\/(png|jpe?g|gif|webp|avif)[;,])/i.test(address) ? address : null
}

/** A profile that cannot be a person. */
export class ProfileError extends Error {
  override readonly name: string = 'ProfileError'
}

function idOf(id: unknown, provider: OAuthProvider): string {
  const text = accountIdOf(id)
  if (text !== null) return text
  throw new ProfileError(
    `expected providers.${provider.id}.profile to return an id, a number or a text without NUL or half characters`
  )
}

/** @returns Whether the provider states that the address is proven: only a plain `true` is such a statement. */
function isVerified(stated: unknown, raw: Profile, email: string | null, { verifiesEmail }: OAuthProvider): boolean {
  if (email === null) return false
  if (verifiesEmail || stated === true) return true
  return stated === undefined && raw['email_verified'] === true && addressOf(raw['email']) === email
}

/** The fields of a token response that every account table has a column for. */
function standardFields(tokens: TokenSet): Readonly<Record<string, unknown>> {
  const { access_token, refresh_token, id_token, token_type, scope, session_state, expires_at } = tokens
  return { access_token, refresh_token, id_token, token_type, scope, session_state, expires_at }
}

const texts = new Set(['access_token', 'refresh_token', 'id_token', 'token_type', 'scope', 'session_state'])

/** Whether a column for this field can hold the value; providers answer with what they like. */
function fits(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (name === 'expires_at') return Number.isSafeInteger(value)
  return !texts.has(name) || typeof value === 'string'
}

/** The account of these fields, less those that would not fit; none of them can say whose it is. */
function accountOf(key: Pick<Account, 'provider' | 'type' | 'providerAccountId'>, fields: object): Account {
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'userId' && fits(name, value)) given[name] = value
  }
  return { ...given, ...key }
}

function keyOf(
  { id, type }: OAuthProvider,
  providerAccountId: string
): Pick<Account, 'provider' | 'type' | 'providerAccountId'> {
  return { provider: id, type, providerAccountId }
}

/** Whether every store gives the text back as it was: some cannot keep NUL, or half of a character. */
function isExact(value: unknown): boolean {
  return typeof value !== 'string' || !(value.includes('\0') || /\p{Surrogate}/u.test(value))
}

/** @returns What the store keeps of a provider's tokens: `null` for a text that it could not give back as it was. */
export async function rowOf(provider: OAuthProvider, providerAccountId: string, tokens: TokenSet): Promise<Account> {
  const key = keyOf(provider, providerAccountId)
  const kept: unknown = (await provider.account?.(tokens)) ?? standardFields(tokens)
  if (typeof kept !== 'object' || kept === null)
    throw new ProfileError(`expected providers.${provider.id}.account to return the fields that are kept`)
  const fields = Object.entries(accountOf(key, kept)).map(([name, value]) => [name, isExact(value) ? value : null])
  return { ...Object.fromEntries(fields), ...key }
}

/**
 * Makes an identity of what a provider said.
 *
 * @throws ProfileError where there is no id.
 */
export async function toIdentity(raw: Profile, tokens: TokenSet, provider: OAuthProvider): Promise<Identity> {
  const mapped: unknown = await provider.profile(raw, tokens)
  if (typeof mapped !== 'object' || mapped === null)
    throw new ProfileError(`expected providers.${provider.id}.profile to return a user`)
  const { id, name, email, image, emailVerified, ...extra }: Record<string, unknown> = { ...mapped }
  const user = {
    ...extra,
    id: idOf(id, provider),
    name: nameOf(name),
    email: addressOf(email),
    image: pictureOf(image)
  }
  const key = keyOf(provider, user.id)
  return {
    account: accountOf(key, tokens),
    row: await rowOf(provider, user.id, tokens),
    user,
    emailVerified: isVerified(emailVerified, raw, user.email, provider),
    profile: raw
  }
}
