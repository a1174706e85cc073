import type { Account } from '../model/account.ts'
import type { Identity, Profile } from '../model/identity.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'
import { addressOf, nameOf, pictureOf } from './person.ts'

/** A profile that cannot be a person. */
export class ProfileError extends Error {
  override readonly name: string = 'ProfileError'
}

function idOf(id: unknown, provider: OAuthProvider): string {
  if (typeof id === 'string' && id !== '') return id
  if (typeof id === 'number' && Number.isFinite(id)) return String(id)
  throw new ProfileError(`expected providers.${provider.id}.profile to return an id, a text or a number`)
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

/** @returns What the store keeps of a provider's tokens. */
export async function rowOf(provider: OAuthProvider, providerAccountId: string, tokens: TokenSet): Promise<Account> {
  const kept: unknown = (await provider.account?.(tokens)) ?? standardFields(tokens)
  if (typeof kept !== 'object' || kept === null)
    throw new ProfileError(`expected providers.${provider.id}.account to return the fields that are kept`)
  return accountOf(keyOf(provider, providerAccountId), kept)
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
