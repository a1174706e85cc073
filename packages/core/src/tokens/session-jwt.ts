import { chain, type MaybePromise } from '../model/awaitable.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { Token } from '../model/session.ts'
import { decryptText, encryptText } from './jwe.ts'
import type { KeyRing } from './keys.ts'
import { LruCache } from './lru-cache.ts'

/** Encodes and decodes session tokens: built in, or the application's `jwt.encode` and `jwt.decode`. */
export interface SessionTokenCodec {
  /** @param maxAge - Seconds. */
  encode(token: Token, maxAge: number): MaybePromise<string>
  /** @returns The claims, or `null` if the token is foreign, expired or has no subject. */
  decode(token: string): MaybePromise<Token | null>
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Seconds. */
  readonly tolerance: number
}

/** Any object may be a token: its claims are validated one by one. */
export function isToken(claims: unknown): claims is Token {
  return isJsonObject(claims)
}

function parseClaims(text: string): Token | null {
  try {
    const claims: unknown = JSON.parse(text)
    return isToken(claims) ? claims : null
  } catch {
    return null
  }
}

/**
 * @returns Whether the token is currently valid: `exp` is required, `nbf` and `iat` are checked if present (RFC 7519
 * §4.1).
 */
export function hasValidTimes({ exp, nbf, iat }: Token, { now, tolerance }: Clock): boolean {
  const seconds = Math.floor(now() / 1000)
  const hasBegun = (time: unknown): boolean =>
    time === undefined || (typeof time === 'number' && time <= seconds + tolerance)
  return typeof exp === 'number' && exp > seconds - tolerance && hasBegun(nbf) && hasBegun(iat)
}

/** Adds the timestamps and the id of a token. */
export function withTimes(token: Token, maxAge: number, now: number): Token {
  const iat = Math.floor(now / 1000)
  return { ...token, iat, exp: iat + maxAge, jti: crypto.randomUUID() }
}

/** @returns The subject of a token, or `null` if there is none; callbacks of next-auth v4 also write numeric ids. */
export function parseSubject({ sub }: { readonly sub?: unknown }): string | null {
  if (typeof sub === 'number') return Number.isSafeInteger(sub) ? String(sub) : null
  return typeof sub === 'string' && sub !== '' ? sub : null
}

/** @returns The claims of a decrypted token, or `null` if it is not currently valid or has no subject. */
export function parseValidClaims(text: string, clock: Clock): Token | null {
  const claims = parseClaims(text)
  return claims && hasValidTimes(claims, clock) && parseSubject(claims) !== null ? claims : null
}

/** The maximum number of characters of cached tokens and claims: about 8 MB, or five to ten thousand sessions. */
const openedCharacters = 8_000_000

/**
 * The codec that is compatible with next-auth v4.
 *
 * Decryption is the main cost of reading a session, so claims are cached. Whether a token is valid is checked every
 * time.
 *
 * @param opened - The cache of decrypted tokens. @defaultValue a cache of about 8 MB
 */
export function sessionTokenCodec(
  keys: KeyRing,
  clock: Clock,
  opened: LruCache = new LruCache(openedCharacters)
): SessionTokenCodec {
  return {
    encode: (token, maxAge) => encryptText(keys, JSON.stringify(withTimes(token, maxAge, clock.now()))),
    decode: (token) => {
      const read = (text: string | null): Token | null => {
        if (text === null) return null
        const claims = parseValidClaims(text, clock)
        if (claims === null) opened.delete(token)
        else opened.set(token, text)
        return claims
      }
      return chain(opened.get(token) ?? decryptText(keys, token), read)
    }
  }
}
