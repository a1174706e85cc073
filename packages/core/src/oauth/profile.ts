import { UserCodeError } from '../errors/user-code.ts'
import type { Account } from '../model/account.ts'
import { checkAccountId } from '../model/account-id.ts'
import { toDisplayName } from '../model/display-text.ts'
import type { Identity, Profile } from '../model/identity.ts'
import { issuerOfMetadata } from '../model/issuer.ts'
import { isObject } from '../model/json-object.ts'
import type { OAuthProvider, Provider, Region, TokenSet } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import { isOAuth } from './oauth-provider.ts'
import { toRegionalId } from './regions.ts'
import { quoteServerWords, readProfileError } from './server-error.ts'

/** The maximum length of a name: sessions have to fit into cookies. */
const maxNameLength = 1000
/** The maximum length of an email address (RFC 5321 §4.5.3.1.3). */
const maxEmailLength = 254

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** @returns The name as one line without invisible characters, or `null` if nothing of it is visible. */
export function parseName(value: unknown): string | null {
  return typeof value === 'string' ? toDisplayName(value, maxNameLength) : null
}

const isAscii = /^[\0-\x7f]*$/

/**
 * @returns The address in lower case, or `null` if it is not a single address: mail to a list or a display name would
 * reach another recipient.
 */
export function parseEmailAddress(value: unknown): string | null {
  const text = textOrNull(value)?.trim() ?? ''
  const address = text.toLowerCase()
  // For example the Kelvin sign: its lower case is the letter k, which would match another user's address.
  if (isAscii.test(address) && !isAscii.test(text)) return null
  return address.length <= maxEmailLength &&
    /^[^\s@,;:<>()[\]"\\\p{Cc}\p{Cs}]+@[^\s@,;:<>()[\]"\\\p{Cc}\p{Cs}]+$/u.test(address)
    ? address
    : null
}

/** @returns The URL of a picture, or `null` unless it is an http(s) URL or a `data:` image: others may run scripts. */
export function parsePicture(value: unknown): string | null {
  const address = textOrNull(value)?.replaceAll(/\p{Cc}/gu, '')
  return address && /^(https?:|data:image\/(png|jpe?g|gif|webp|avif)[;,])/i.test(address) ? address : null
}

/** A profile does not identify a user. */
export class ProfileError extends Error {
  override readonly name: string = 'ProfileError'
}

/** @throws ProfileError */
function requireId(id: unknown, sources: { raw: Profile; tokens: TokenSet }, provider: OAuthProvider): string {
  const checked = checkAccountId(id, sources)
  if ('id' in checked) return checked.id
  throw new ProfileError(`providers.${provider.id}.profile: ${checked.problem}`)
}

/** Whether the provider states that the address is verified: only `true` counts. */
const isStated = (stated: unknown, raw: Profile, email: string): boolean =>
  stated === true ||
  (stated === undefined && raw['email_verified'] === true && parseEmailAddress(raw['email']) === email)

/**
 * Whether the provider proves the address: it is trusted for it, and does not state that it is unverified. `verifiesEmail` replaces
 * a missing statement. The statement of any other provider is only a claim, which anybody can make with a provider of their own.
 */
async function isProven(
  stated: unknown,
  raw: Profile,
  email: string | null,
  { verifiesEmail, hooks }: OAuthProvider
): Promise<boolean> {
  if (email === null) return false
  if (verifiesEmail === true || verifiesEmail.includes(email.slice(email.indexOf('@') + 1))) {
    const statement = stated ?? raw['email_verified'] ?? null
    return statement === null || statement === true || statement === 'true' || statement instanceof Date
  }
  return isStated(stated, raw, email) && (await hooks.isEmailAuthority?.(raw)) === true
}

/** The fields of a token response that every account table has a column for. */
function standardFields(tokens: TokenSet): Readonly<Record<string, unknown>> {
  const { access_token, refresh_token, id_token, token_type, scope, session_state, expires_at } = tokens
  return { access_token, refresh_token, id_token, token_type, scope, session_state, expires_at }
}

const texts = new Set(['access_token', 'refresh_token', 'id_token', 'token_type', 'scope', 'session_state'])

/** Whether a column for this field can hold the value; the type of a provider's value is not guaranteed. */
function fits(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (name === 'expires_at') return Number.isSafeInteger(value)
  return !texts.has(name) || typeof value === 'string'
}

/** Creates the account from the fields that fit. The fields can neither override the key nor set the user. */
function createAccount(key: Pick<Account, 'provider' | 'type' | 'providerAccountId'>, fields: object): Account {
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'userId' && fits(name, value)) given[name] = value
  }
  return { ...given, ...key }
}

function createAccountKey(
  { id, type }: OAuthProvider,
  providerAccountId: string
): Pick<Account, 'provider' | 'type' | 'providerAccountId'> {
  return { provider: id, type, providerAccountId }
}

/** @returns The account row. */
export async function createAccountRow(
  provider: OAuthProvider,
  providerAccountId: string,
  tokens: TokenSet
): Promise<Account> {
  const key = createAccountKey(provider, providerAccountId)
  const kept: unknown = (await provider.account?.(tokens)) ?? standardFields(tokens)
  if (!isObject(kept)) throw new ProfileError(`expected providers.${provider.id}.account to return the fields to store`)
  return createAccount(key, kept)
}

/** @returns What is wrong with a profile, for the operator: the error in it, else the fields that it lacks. */
async function explain(raw: Profile, tokens: TokenSet, provider: OAuthProvider): Promise<string> {
  const words = readProfileError(raw)
  if (words) return `; ${quoteServerWords(words, [tokens.access_token])}`
  const missing = await getMissingFields(raw, (profile) => provider.profile(profile, tokens))
  return missing.length === 0 ? '' : `; the response has no ${missing.join(', ')}`
}

type MappedUser = Readonly<Record<string, unknown>> & { readonly id: string }

/** Calls the provider's `profile` function. @throws ProfileError that names what the profile lacks. */
async function mapProfile(raw: Profile, tokens: TokenSet, provider: OAuthProvider): Promise<MappedUser> {
  try {
    const mapped: unknown = await provider.profile(raw, tokens)
    if (!isObject(mapped)) throw new ProfileError(`expected providers.${provider.id}.profile to return a user`)
    return { ...mapped, id: requireId(mapped['id'], { raw, tokens }, provider) }
  } catch (cause) {
    if (cause instanceof ProfileError) throw new ProfileError(`${cause.message}${await explain(raw, tokens, provider)}`)
    if (cause instanceof UserCodeError && cause.cause instanceof TypeError)
      throw new UserCodeError(`${cause.message}${await explain(raw, tokens, provider)}`, { cause: cause.cause })
    throw cause
  }
}

/** What a provider granted, and the region that it named. */
interface Granted {
  readonly tokens: TokenSet
  readonly region: Region | null
}

/**
 * Converts the profile of a provider to an identity.
 *
 * @throws ProfileError if there is no valid id.
 */
export async function toIdentity(
  raw: Profile,
  { tokens, region }: Granted,
  provider: OAuthProvider
): Promise<Identity> {
  const { id, name, email, image, emailVerified, ...extra } = await mapProfile(raw, tokens, provider)
  const user = {
    ...extra,
    id: toRegionalId(id, region),
    name: parseName(name),
    email: parseEmailAddress(email),
    image: parsePicture(image)
  }
  const key = createAccountKey(provider, user.id)
  return {
    account: createAccount(key, tokens),
    row: await createAccountRow(provider, user.id, tokens),
    user,
    emailVerified: await isProven(emailVerified, raw, user.email, provider),
    profile: raw,
    formerAccountId: (await provider.hooks.formerAccountId?.(raw)) ?? null
  }
}

/** Whether the scope requests claims that the ID Token leaves to userinfo (OpenID Connect Core §5.4). */
export function asksForMore(claims: Profile, scope: string): boolean {
  const scopes = scope.split(' ')
  return (
    (scopes.includes('email') && claims['email'] === undefined) ||
    (scopes.includes('profile') && claims['name'] === undefined)
  )
}

/** Whether a sign-in with these claims would have judged the address by the ID Token alone. */
function usesOnlyIdToken(claims: Profile, provider: OAuthProvider): boolean {
  const { idToken, profileFromUserinfo, userinfo, token, hooks, authorization } = provider
  const isChanged = profileFromUserinfo || userinfo.request !== null || token.request !== null || hooks.afterProfile
  return idToken && !isChanged && !asksForMore(claims, authorization.params['scope'] ?? 'openid')
}

/**
 * Repeats the decision of a sign-in about the address, for the claims of a stored ID Token.
 *
 * @returns The proven address and the account id, or `null` if the address is not proven, or if more than the claims
 * decides that: userinfo, a hook of the provider, or its tokens.
 */
async function readVerifiedEmail(
  claims: Profile,
  idToken: string,
  provider: OAuthProvider
): Promise<{ readonly email: string; readonly id: string } | null> {
  if (!usesOnlyIdToken(claims, provider)) return null
  let usesTokens = false
  const tokens = new Proxy<TokenSet>(
    { id_token: idToken },
    {
      get: (target, name, receiver) => {
        usesTokens ||= name !== 'id_token'
        return Reflect.get(target, name, receiver)
      }
    }
  )
  const mapped: unknown = await provider.profile({ ...claims }, tokens)
  if (usesTokens || typeof mapped !== 'object' || mapped === null) return null
  const { id, email, emailVerified }: Record<string, unknown> = { ...mapped }
  const address = parseEmailAddress(email)
  const accountId = requireId(id, { raw: claims, tokens: {} }, provider)
  return address !== null && (await isProven(emailVerified, claims, address, provider))
    ? { email: address, id: accountId }
    : null
}

/** The one issuer of a provider's ID Tokens; `null` if its tokens are not verified, or come from many tenants. */
function getIssuer(provider: Provider | undefined): string | null {
  if (!isOAuth(provider) || !provider.idToken) return null
  return provider.issuer ?? (provider.wellKnown && issuerOfMetadata(provider.wellKnown))
}

/**
 * Returns whether the ID Token that is stored with an account proves the email address: the provider is trusted for it.
 *
 * Only the provider's own issuer is trusted: if tenants share a provider, the administrator of any tenant can claim any
 * address. The statement must also apply to a sign-in: the provider's `profile` function or userinfo may override it.
 */
export async function isEmailInIdToken(
  { id_token, providerAccountId }: Pick<Account, 'id_token' | 'providerAccountId'>,
  email: string,
  provider: Provider | undefined
): Promise<boolean> {
  const issuer = getIssuer(provider)
  const claims = issuer !== null && typeof id_token === 'string' ? decodeJws(id_token)?.claims : null
  if (!issuer || !id_token || !isOAuth(provider) || claims?.['email_verified'] !== true) return false
  const { iss, email: stated } = claims
  const isOwnIssuer = typeof iss === 'string' && iss.replace(/\/$/, '') === issuer.replace(/\/$/, '')
  if (!isOwnIssuer || typeof stated !== 'string' || stated.toLowerCase() !== email) return false
  try {
    const verified = await readVerifiedEmail({ ...claims }, id_token, provider)
    return verified?.email === email && verified.id === providerAccountId
  } catch {
    return false
  }
}

/** The most fields that a message names. */
const maxNamed = 5

/** A view of an object that records which of its fields are read although they are missing. */
function recording<T extends object>(object: T, path: string, missing: Set<string>): T {
  return new Proxy(object, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof name !== 'string' || name in Object.prototype || name === 'then') return value
      const field = path === '' ? name : `${path}.${name}`
      if (value === undefined || value === null) missing.add(field)
      return isObject(value) ? recording(value, field, missing) : value
    }
  })
}

/**
 * Finds the fields that a `profile` function reads and the profile lacks. The function is called once more, so this is for a
 * profile that it could not convert.
 *
 * @returns The names in quotes, in the order in which they are read.
 */
async function getMissingFields(profile: Profile, read: (profile: Profile) => unknown): Promise<readonly string[]> {
  const missing = new Set<string>()
  await Promise.resolve(recording(profile, '', missing))
    .then(read)
    .catch(() => undefined)
  return Array.from(missing, (field) => JSON.stringify(field)).slice(0, maxNamed)
}
