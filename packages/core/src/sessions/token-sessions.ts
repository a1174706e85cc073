import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { ForeignError, kindOf } from '../errors/foreign.ts'
import type { Tell } from '../hooks/events.ts'
import { type Hooks, sessionOf } from '../hooks/hooks.ts'
import type { Remembered } from '../hooks/remember.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import type { Session, Token } from '../model/session.ts'
import type { SessionTokenCodec } from '../tokens/session-token.ts'
import { isDue, isOver, type Lifetime, lifetimeOf, nextExpiry } from './expiry.ts'
import type { Admission, Reading, SessionStrategy, SignedIn } from './strategy.ts'

/** What signed-token sessions are made with. */
export interface TokenSessionRules {
  readonly codec: SessionTokenCodec
  readonly cookie: CookieSetting
  /** The session cookie of another library, and what reads it; `null` where only ours counts. */
  readonly foreign: { readonly cookie: CookieSetting; readonly read: (token: string) => Promise<Token | null> } | null
  readonly chunkSize: number
  readonly lifetime: Lifetime
  /** Seconds; never beyond the session's. */
  readonly tokenMaxAge: number
  readonly hooks: Pick<Hooks, 'jwt' | 'session'>
  readonly tell: Tell
  readonly logger: Logger
  readonly now: () => number
}

const nothing: Reading = { session: null, signedIn: null, cookies: noCookies }
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Seconds since 1970 as a date. */
function toDate(seconds: unknown): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : null
}

function signedInOf({ sub, name, email, auth_time, iat }: Token): SignedIn | null {
  if (!sub) return null
  return { userId: sub, name: text(name), email: text(email), since: toDate(auth_time ?? iat) }
}

/** How long the session of a token lasts, where its sign-in said so. */
function rememberedOf({ session_age }: Token): Remembered {
  return typeof session_age === 'number' ? session_age : null
}

/** A token that was found, and whether it came in the cookie of another library. */
interface Found {
  readonly token: Token
  readonly isForeign: boolean
}

/** @throws ForeignError the callback returned what is no token. */
function tokenOf(answer: unknown): Token {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return { ...answer }
  throw new ForeignError(`callbacks.jwt returned ${kindOf(answer)}, not a token`)
}

/** The session is in the cookie: an encrypted token that only we can read. */
export class TokenSessions implements SessionStrategy {
  readonly #rules: TokenSessionRules

  constructor(rules: TokenSessionRules) {
    this.#rules = rules
  }

  async open(
    { user, account, profile, isNewUser, remembered }: Admission,
    cookies: RequestCookies
  ): Promise<SetCookies> {
    const { hooks, now } = this.#rules
    const { id, name = null, email = null, image = null } = user
    const signIn: Token = { name, email, picture: image, sub: id }
    const trigger = isNewUser ? 'signUp' : 'signIn'
    const question = { token: signIn, user, account, isNewUser, trigger, ...(profile ? { profile } : {}) } as const
    const answer: unknown = hooks.jwt ? await hooks.jwt(question) : signIn
    // A token that does not say whose it is would be nobody's session.
    const age = remembered === null ? {} : { session_age: remembered }
    const token: Token = { ...tokenOf(answer), auth_time: Math.floor(now() / 1000), ...age }
    return this.#write({ ...token, sub: token.sub ?? id }, cookies)
  }

  async read(cookies: RequestCookies): Promise<Reading> {
    const found = await this.#find(cookies)
    return found ? this.#reading(found, cookies, {}) : this.#none(cookies)
  }

  async update(cookies: RequestCookies, data: unknown): Promise<Reading> {
    const found = await this.#find(cookies)
    return found ? this.#reading(found, cookies, { trigger: 'update', session: data }) : this.#none(cookies)
  }

  async close(cookies: RequestCookies): Promise<SetCookies> {
    const found = await this.#find(cookies)
    if (found) await this.#rules.tell('signOut', { token: found.token })
    return this.#clear(cookies)
  }

  async identify(cookies: RequestCookies): Promise<SignedIn | null> {
    const found = await this.#find(cookies)
    return found && signedInOf(found.token)
  }

  async #find(cookies: RequestCookies): Promise<Found | null> {
    const { codec, cookie, foreign } = this.#rules
    for (const value of readChunked(cookies, cookie.name)) {
      const token = await codec.decode(value)
      if (token && this.#isLive(token)) return { token, isForeign: false }
    }
    for (const value of foreign ? readChunked(cookies, foreign.cookie.name) : []) {
      const token = (await foreign?.read(value)) ?? null
      if (token && this.#isLive(token)) return { token, isForeign: true }
    }
    return null
  }

  #isLive(token: Token): boolean {
    const expires = toDate(token['exp'])
    const since = signedInOf(token)?.since ?? null
    return expires !== null && !isOver(this.#rules.now(), expires, since, this.#lifetime(token))
  }

  #clear(cookies: RequestCookies): SetCookies {
    const { cookie, foreign } = this.#rules
    return joinCookies(clearChunked(cookie, cookies), foreign ? clearChunked(foreign.cookie, cookies) : noCookies)
  }

  #none(cookies: RequestCookies): Reading {
    const cleared = this.#clear(cookies)
    return cleared.size === 0 ? nothing : { ...nothing, cookies: cleared }
  }

  async #reading(
    { token, isForeign }: Found,
    cookies: RequestCookies,
    update: { trigger?: 'update'; session?: unknown }
  ): Promise<Reading> {
    const { hooks, logger, now } = this.#rules
    const before = hooks.jwt ? JSON.stringify(token) : ''
    try {
      const answer: unknown = hooks.jwt ? await hooks.jwt({ token: { ...token }, ...update }) : token
      if (answer === null) return this.#none(cookies)
      const { sub, iat, auth_time = iat, session_age } = token
      const changed = tokenOf(answer)
      const isChanged = hooks.jwt !== null && JSON.stringify(changed) !== before
      const isAged = typeof iat !== 'number' || isDue(now(), iat * 1000, this.#lifetime(token))
      const isWritten = isChanged || isAged || isForeign || update.trigger === 'update'
      // Whose it is, when they signed in and for how long outlives every change.
      const kept = { ...(auth_time ? { auth_time } : {}), ...(session_age === undefined ? {} : { session_age }) }
      const next: Token = { ...changed, ...(changed.sub || !sub ? {} : { sub }), ...kept }
      const written = isWritten ? await this.#write(next, cookies) : noCookies
      const session = await this.#session(token, next, isWritten)
      return { session, signedIn: session && signedInOf(token), cookies: written }
    } catch (error) {
      // A callback that fails ends nothing: the cookie stays, and this one answer is "nobody".
      logger.error('JWT_SESSION_ERROR', error)
      return nothing
    }
  }

  /** What the application sees; the person is the one the cookie named, as in next-auth v4. */
  async #session(token: Token, next: Token, isWritten: boolean): Promise<Session | null> {
    const { hooks, tell } = this.#rules
    const { name, email, picture } = token
    const expires = isWritten ? this.#expires(next) : (toDate(token['exp']) ?? this.#expires(next))
    const plain: Session = { user: { name, email, image: picture }, expires: expires.toISOString() }
    const session = hooks.session ? sessionOf(await hooks.session({ session: plain, token: next })) : plain
    if (!session) return null
    await tell('session', { session, token: next })
    return session
  }

  #expires(token: Token): Date {
    return nextExpiry(this.#rules.now(), signedInOf(token)?.since ?? null, this.#lifetime(token))
  }

  #lifetime(token: Token): Lifetime {
    return lifetimeOf(this.#rules.lifetime, rememberedOf(token))
  }

  async #write(token: Token, cookies: RequestCookies): Promise<SetCookies> {
    const { codec, cookie, chunkSize, tokenMaxAge, now } = this.#rules
    const expires = this.#expires(token)
    const left = Math.floor((expires.getTime() - now()) / 1000)
    const value = await codec.encode(token, Math.min(tokenMaxAge, left))
    const until = rememberedOf(token) === 0 ? null : expires
    return joinCookies(this.#clear(cookies), writeChunked(cookie, value, { expires: until, size: chunkSize, cookies }))
  }
}
