import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import type { Tell } from '../hooks/events.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import type { Session, Token } from '../model/session.ts'
import type { SessionTokenCodec } from '../tokens/session-token.ts'
import { isDue, isOver, type Lifetime, nextExpiry } from './expiry.ts'
import type { Admission, Reading, SessionStrategy, SignedIn } from './strategy.ts'

/** What signed-token sessions are made with. */
export interface TokenSessionRules {
  readonly codec: SessionTokenCodec
  readonly cookie: CookieSetting
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

/** The session is in the cookie: an encrypted token that only we can read. */
export class TokenSessions implements SessionStrategy {
  readonly #rules: TokenSessionRules

  constructor(rules: TokenSessionRules) {
    this.#rules = rules
  }

  async open({ user, account, profile, isNewUser }: Admission, cookies: RequestCookies): Promise<SetCookies> {
    const { hooks, now } = this.#rules
    const { id, name = null, email = null, image = null } = user
    const signIn: Token = { name, email, picture: image, sub: id }
    const trigger = isNewUser ? 'signUp' : 'signIn'
    const question = { token: signIn, user, account, isNewUser, trigger, ...(profile ? { profile } : {}) } as const
    const token = hooks.jwt ? await hooks.jwt(question) : signIn
    return this.#write({ ...token, auth_time: Math.floor(now() / 1000) }, cookies)
  }

  async read(cookies: RequestCookies): Promise<Reading> {
    const token = await this.#token(cookies)
    if (!token) return this.#none(cookies)
    return this.#reading(token, cookies, {})
  }

  async update(cookies: RequestCookies, data: unknown): Promise<Reading> {
    const token = await this.#token(cookies)
    if (!token) return this.#none(cookies)
    return this.#reading(token, cookies, { trigger: 'update', session: data })
  }

  async close(cookies: RequestCookies): Promise<SetCookies> {
    const token = await this.#token(cookies)
    if (token) await this.#rules.tell('signOut', { token })
    return clearChunked(this.#rules.cookie, cookies)
  }

  async identify(cookies: RequestCookies): Promise<SignedIn | null> {
    const token = await this.#token(cookies)
    return token ? signedInOf(token) : null
  }

  /** @returns The claims of the session cookie, or `null` for none that counts. */
  async #token(cookies: RequestCookies): Promise<Token | null> {
    const { codec, cookie, lifetime, now } = this.#rules
    for (const value of readChunked(cookies, cookie.name)) {
      const token = await codec.decode(value)
      const expires = token && toDate(token['exp'])
      if (token && expires && !isOver(now(), expires, signedInOf(token)?.since ?? null, lifetime)) return token
    }
    return null
  }

  #none(cookies: RequestCookies): Reading {
    const cleared = clearChunked(this.#rules.cookie, cookies)
    return cleared.size === 0 ? nothing : { ...nothing, cookies: cleared }
  }

  async #reading(
    token: Token,
    cookies: RequestCookies,
    update: { trigger?: 'update'; session?: unknown }
  ): Promise<Reading> {
    const { hooks, logger, lifetime, now } = this.#rules
    const before = hooks.jwt ? JSON.stringify(token) : ''
    try {
      const answer: unknown = hooks.jwt ? await hooks.jwt({ token: { ...token }, ...update }) : token
      if (typeof answer !== 'object' || answer === null) return this.#none(cookies)
      const next: Token = { ...answer }
      const isChanged = hooks.jwt !== null && JSON.stringify(next) !== before
      const isAged = typeof token['iat'] !== 'number' || isDue(now(), token['iat'] * 1000, lifetime)
      const isWritten = isChanged || isAged || update.trigger === 'update'
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
    const session = hooks.session ? await hooks.session({ session: plain, token: next }) : plain
    if (typeof session !== 'object' || session === null) return null
    await tell('session', { session, token: next })
    return session
  }

  #expires(token: Token): Date {
    return nextExpiry(this.#rules.now(), signedInOf(token)?.since ?? null, this.#rules.lifetime)
  }

  async #write(token: Token, cookies: RequestCookies): Promise<SetCookies> {
    const { codec, cookie, chunkSize, tokenMaxAge, now } = this.#rules
    const expires = this.#expires(token)
    const left = Math.floor((expires.getTime() - now()) / 1000)
    const value = await codec.encode(token, Math.min(tokenMaxAge, left))
    return joinCookies(writeChunked(cookie, value, { expires, size: chunkSize, cookies }))
  }
}
