import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { Remembered } from '../hooks/session-lifetime.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import { getTag, removeTag } from '../tokens/application-tag.ts'
import { equalInConstantTime, keyedHash, keyedHashes } from '../tokens/hash.ts'
import type { KeyRing } from '../tokens/keys.ts'

/** How the store holds session tokens: hashed; hashed, with old plain rows accepted; or plain as in next-auth v4. */
export type SessionStorage = 'hashed' | 'both' | 'plain'

const mark = 'h1.'

/** @returns Whether a cookie contains the stored form of a token: such a value is never looked up. */
export function isStoredForm(token: string): boolean {
  return token.startsWith(mark)
}

/** @returns The stored form of a new token. */
export async function toStored(token: string, ring: KeyRing, storage: SessionStorage): Promise<string> {
  return storage === 'plain' ? token : mark + (await keyedHash(ring, token))
}

/** @returns Every stored form that this token may have, most likely first. */
export async function storedForms(token: string, ring: KeyRing, storage: SessionStorage): Promise<readonly string[]> {
  if (isStoredForm(token)) return []
  if (storage === 'plain') return [token]
  const hashed = (await keyedHashes(ring, token)).map((hash) => mark + hash)
  return storage === 'both' ? [...hashed, token] : hashed
}

const timed = /\.([0-9a-z]{1,9})(?:~([0-9a-z]{1,9}))?$/

/**
 * A session token with its creation time: random, a dot, seconds since 1970 in base 36.
 *
 * The store only finds the complete string, so the time cannot be forged.
 */
export function timedToken(random: string, now: number): string {
  return `${random}.${Math.floor(now / 1000).toString(36)}`
}

/** @returns The token with the lifetime of its session; unchanged if that is the configured one. */
export function rememberedToken(token: string, remembered: Remembered, now: number): string {
  if (remembered === null) return token
  return `${parseTokenTime(token) ? token : timedToken(token, now)}~${remembered.toString(36)}`
}

/** @returns The lifetime of a token's session, if the token contains it. */
export function rememberedIn(token: string): Remembered {
  const [, , remembered] = timed.exec(removeTag(token)) ?? []
  return remembered === undefined ? null : Number.parseInt(remembered, 36)
}

/** @returns The token with the time at which its session began; unchanged if that is its creation, or unknown. */
export function withStart(token: string, startedAt: Date | null): string {
  if (startedAt === null || parseTokenTime(token) === null) return token
  const seconds = Math.floor(startedAt.getTime() / 1000).toString(36)
  return token.replace(timed, (_, __, remembered) => `.${seconds}${remembered === undefined ? '' : `~${remembered}`}`)
}

/** @returns The token without the time at which its session began, as it is unknown. */
export function withoutStart(token: string): string {
  return token.replace(timed, '')
}

const authenticated = /\._([0-9a-z]{1,9})\.[0-9a-z]{1,9}(?:~[0-9a-z]{1,9})?$/

/**
 * @param authTime - Seconds since 1970; `null` if unknown.
 * @returns The token with the time of the authentication. Like its creation time, it cannot be forged.
 */
export function withAuthTime(token: string, authTime: number | null): string {
  return authTime === null ? token : token.replace(timed, (time) => `._${authTime.toString(36)}${time}`)
}

/** @returns When the user of a session token authenticated; `null` if unknown, as for tokens of earlier versions. */
export function parseAuthTime(token: string): Date | null {
  const createdAt = parseTokenTime(token)
  const [, authTime] = authenticated.exec(removeTag(token)) ?? []
  if (createdAt === null || authTime === undefined) return null
  return new Date(Math.min(Number.parseInt(authTime, 36) * 1000, createdAt.getTime()))
}

/** @returns When a session token was created, or `null` for a token of another library. */
export function parseTokenTime(token: string): Date | null {
  const seconds = Number.parseInt(timed.exec(removeTag(token))?.[1] ?? '', 36)
  return Number.isNaN(seconds) ? null : new Date(seconds * 1000)
}

/**
 * A second cookie that accompanies a session token if the store holds plain tokens.
 *
 * A reader of the table knows the token but not this cookie: a keyed hash of the token. next-auth v4, which may share
 * the table, ignores it. Sessions that next-auth created have none, and are recognized by their token, which has
 * neither a tag nor a creation time.
 */
export interface SessionProof {
  readonly cookie: CookieSetting
  readonly keys: KeyRing
}

/** Whether a token is of another library and therefore has no proof. */
const isOfOthers = (token: string): boolean => getTag(token) === null && parseTokenTime(token) === null

/** @returns Whether the token came from the browser that it was issued to. */
export async function isProven(token: string, cookies: RequestCookies, proof: SessionProof): Promise<boolean> {
  if (isOfOthers(token)) return true
  const given = cookies.get(proof.cookie.name) ?? ''
  return (await keyedHashes(proof.keys, token)).some((hash) => equalInConstantTime(hash, given))
}

/** The maximum lifetime of a cookie, in milliseconds (RFC 6265bis §5.6.2). */
const maxProofLength = 400 * 24 * 60 * 60 * 1000

/**
 * The cookie to send with a token. It outlives the session, because a library that shares the table renews the session
 * without it.
 *
 * @param now - Milliseconds since 1970; `null` for a cookie that lasts until the browser is closed.
 */
export async function prove(token: string, now: number | null, proof: SessionProof | null): Promise<SetCookies> {
  if (!proof || isOfOthers(token)) return noCookies
  const expires = now === null ? null : new Date(now + maxProofLength)
  return setCookie(proof.cookie.name, await keyedHash(proof.keys, token), proof.cookie.options, expires)
}

/** The removal of the cookie, if the request contains it. */
export function clearProof(cookies: RequestCookies, proof: SessionProof | null): SetCookies {
  return proof && cookies.has(proof.cookie.name) ? clearCookie(proof.cookie.name, proof.cookie.options) : noCookies
}
