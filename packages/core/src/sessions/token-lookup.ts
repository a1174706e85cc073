import { readChunked } from '../cookies/chunks.ts'
import type { CookieSetting, RequestCookies } from '../model/cookie.ts'
import type { Token } from '../model/session.ts'
import type { SessionTokenCodec } from '../tokens/session-token.ts'
import { isOver, type Lifetime, lifetimeOf, nextExpiry } from './expiry.ts'
import { rememberedOf, signedInOf, toDate } from './token-claims.ts'

/** What tokens are found with. */
export interface TokenLookup {
  readonly codec: SessionTokenCodec
  readonly cookie: CookieSetting
  /** The session cookie of another library, and what reads it; `null` where only ours counts. */
  readonly foreign: { readonly cookie: CookieSetting; readonly read: (token: string) => Promise<Token | null> } | null
  readonly lifetime: Lifetime
  readonly now: () => number
}

/** A token that was found, and whether it came in the cookie of another library. */
export interface FoundToken {
  readonly token: Token
  readonly isForeign: boolean
}

/** @returns The first token that is in its time; whether it was revoked is not asked. */
export async function findToken(cookies: RequestCookies, lookup: TokenLookup): Promise<FoundToken | null> {
  const { codec, cookie, foreign } = lookup
  for (const value of readChunked(cookies, cookie.name)) {
    const token = await codec.decode(value)
    if (token && isLive(token, lookup)) return { token, isForeign: false }
  }
  for (const value of foreign ? readChunked(cookies, foreign.cookie.name) : []) {
    const token = (await foreign?.read(value)) ?? null
    if (token && isLive(token, lookup)) return { token, isForeign: true }
  }
  return null
}

function isLive(token: Token, { lifetime, now }: TokenLookup): boolean {
  const expires = toDate(token['exp'])
  const since = signedInOf(token)?.since ?? null
  return expires !== null && !isOver(now(), expires, since, lifetimeIn(token, lifetime))
}

/** How long the session of a token lasts. */
export function lifetimeIn(token: Token, lifetime: Lifetime): Lifetime {
  return lifetimeOf(lifetime, rememberedOf(token))
}

/** When the session of a token that is written now ends. */
export function expiryOf(token: Token, { lifetime, now }: Pick<TokenLookup, 'lifetime' | 'now'>): Date {
  return nextExpiry(now(), signedInOf(token)?.since ?? null, lifetimeIn(token, lifetime))
}
