import { isJsonObject } from '../model/json-object.ts'
import type { Token } from '../model/session.ts'
import type { KeyRing } from './keys.ts'
import { Memo } from './lru-cache.ts'
import { openText, sealText } from './seal.ts'

/** How session tokens are written and read: ours, or the application's `jwt.encode` and `jwt.decode`. */
export interface SessionTokenCodec {
  /** @param maxAge - Seconds. */
  encode(token: Token, maxAge: number): Promise<string>
  /** @returns The claims, or `null` for a token that is not ours, is over or says nothing of whom it is about. */
  decode(token: string): Promise<Token | null>
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Seconds. */
  readonly tolerance: number
}

/** Any object may be a token: what it says is looked at claim by claim. */
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

/** @returns Whether the token is in its time: `exp` is required, `nbf` and `iat` count where given (RFC 7519 §4.1). */
export function isTimely({ exp, nbf, iat }: Token, { now, tolerance }: Clock): boolean {
  const seconds = Math.floor(now() / 1000)
  const notBefore = [nbf, iat].filter((time) => time !== undefined)
  return (
    typeof exp === 'number' &&
    exp > seconds - tolerance &&
    notBefore.every((time) => typeof time === 'number' && time <= seconds + tolerance)
  )
}

/** Adds the times and the id that every token carries. */
export function withTimes(token: Token, maxAge: number, now: number): Token {
  const iat = Math.floor(now / 1000)
  return { ...token, iat, exp: iat + maxAge, jti: crypto.randomUUID() }
}

/** @returns Whom a token is about, or `null` for nobody; callbacks of next-auth v4 also write the number of a row. */
export function subjectOf({ sub }: { readonly sub?: unknown }): string | null {
  if (typeof sub === 'number') return Number.isFinite(sub) ? String(sub) : null
  return typeof sub === 'string' && sub !== '' ? sub : null
}

/** @returns The claims of an opened token, or `null` where it is not in its time or says nothing of whom it is about. */
export function claimsOf(text: string, clock: Clock): Token | null {
  const claims = parseClaims(text)
  return claims && isTimely(claims, clock) && subjectOf(claims) !== null ? claims : null
}

/** Characters of tokens and claims that are kept opened: some 8 MB, or ten thousand sessions. */
const openedCharacters = 8_000_000

/**
 * The codec that next-auth v4 understands.
 *
 * Opening is the cost of reading a session. What a token says never changes; whether it counts is asked every time.
 *
 * @param opened - What tokens that were opened said. @defaultValue some 8 MB of them
 */
export function sessionTokenCodec(
  keys: KeyRing,
  clock: Clock,
  opened: Memo = new Memo(openedCharacters)
): SessionTokenCodec {
  return {
    encode: (token, maxAge) => sealText(keys, JSON.stringify(withTimes(token, maxAge, clock.now()))),
    decode: async (token) => {
      const known = opened.get(token)
      const text = known ?? (await openText(keys, token))
      if (text === null) return null
      const claims = claimsOf(text, clock)
      if (claims === null) opened.delete(token)
      else if (known === null) opened.set(token, text)
      return claims
    }
  }
}
