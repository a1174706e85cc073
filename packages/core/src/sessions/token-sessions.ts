import type { Store } from '../adapter/store.ts'
import { clearChunked, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { describe } from '../errors/serialize-error.ts'
import type { Tell } from '../hooks/events.ts'
import { type Hooks, sessionOf } from '../hooks/hooks.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import type { Session, Token } from '../model/session.ts'
import { subjectOf } from '../tokens/session-jwt.ts'
import { isDue, type Lifetime, lifetimeOf, nextExpiry } from './expiry.ts'
import { dropRecord } from './session-metadata.ts'
import type { Admission, FoundSession, Reading, SessionStrategy } from './strategy.ts'
import { keptClaims, rememberedOf, revocableOf, signedInOf, signInToken, tokenOf } from './token-claims.ts'
import type { TokenRegister } from './jwt-session-registry.ts'
import type { SignedSession, TokenFinderRules, TokenSessionFinder } from './token-session-finder.ts'

/** What signed-token sessions are made with. */
export interface TokenSessionRules extends TokenFinderRules {
  readonly chunkSize: number
  /** Seconds; never beyond the session's. */
  readonly tokenMaxAge: number
  /** Names sessions; `null` where nobody keeps which have ended. */
  readonly register: TokenRegister | null
  /** Where records are kept; `null` for nowhere. */
  readonly store: Store | null
  readonly hooks: Pick<Hooks, 'jwt' | 'session'>
  readonly tell: Tell
  readonly logger: Logger
}

/** How long the session of a token lasts. */
function lifetimeIn(token: Token, lifetime: Lifetime): Lifetime {
  return lifetimeOf(lifetime, rememberedOf(token))
}

/** When the session of a token that is written now ends. */
function expiryOf(token: Token, { lifetime, now }: Pick<TokenSessionRules, 'lifetime' | 'now'>): Date {
  return nextExpiry(now(), signedInOf(token)?.since ?? null, lifetimeIn(token, lifetime))
}

const nothing: Reading = { session: null, signedIn: null, cookies: noCookies }

/** The session is in the cookie: an encrypted token that only we can read. */
export class TokenSessions implements SessionStrategy {
  readonly #finder: TokenSessionFinder
  readonly #rules: TokenSessionRules

  constructor(finder: TokenSessionFinder, rules: TokenSessionRules) {
    this.#finder = finder
    this.#rules = rules
  }

  /** Makes a token and its cookie; the session that the browser had before is ended where that is kept. */
  async open(admission: Admission, before: FoundSession | null, cookies: RequestCookies): Promise<SetCookies> {
    const { register, hooks, now } = this.#rules
    const token = await signInToken(admission, hooks.jwt, now())
    const name = await register?.begin(revocableOf(token).userId, admission, expiryOf(token, this.#rules))
    const written = await this.#write({ ...token, ...name }, cookies)
    if (before) await this.#end(before)
    return written
  }

  async read(cookies: RequestCookies): Promise<Reading> {
    const found = await this.#finder.find(cookies)
    return found ? this.#reading(found, cookies, {}) : this.#none(cookies)
  }

  async update(cookies: RequestCookies, data: unknown): Promise<Reading> {
    const found = await this.#finder.find(cookies)
    return found ? this.#reading(found, cookies, { trigger: 'update', session: data }) : this.#none(cookies)
  }

  async close(cookies: RequestCookies): Promise<SetCookies> {
    const found = await this.#finder.findToEnd(cookies)
    if (found) {
      await this.#end(found)
      await this.#rules.tell('signOut', { token: found.token })
    }
    return this.#clear(cookies)
  }

  async closeOthers(cookies: RequestCookies): Promise<SetCookies | null> {
    const { register } = this.#rules
    const found = await this.#finder.find(cookies)
    if (!found || !register) return null
    const { token } = found
    const { userId } = revocableOf(token)
    if (userId === '') return null
    const name = await register.endAll(userId)
    const next: Token = { ...token, ...keptClaims(token), ...name }
    const written = await this.#write(next, cookies)
    await register.rename(token, next, expiryOf(next, this.#rules))
    await register.forget(userId, name.session_version)
    return written
  }

  async #end({ handle, expires }: FoundSession): Promise<void> {
    const { revocations, logger } = this.#rules
    if (!revocations || handle === null) return
    try {
      await revocations.revokeSession(handle, expires)
      await dropRecord(handle, this.#rules)
    } catch (error) {
      // What is known elsewhere may be late: the cookie goes in any case.
      logger.error('SESSION_REVOCATION_ERROR', describe(error))
    }
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
    { token, isForeign, signedIn, expires }: SignedSession,
    cookies: RequestCookies,
    update: { trigger?: 'update'; session?: unknown }
  ): Promise<Reading> {
    const { hooks, logger, now, register, lifetime } = this.#rules
    const before = hooks.jwt ? JSON.stringify(token) : ''
    try {
      const answer: unknown = hooks.jwt ? await hooks.jwt({ token: { ...token }, ...update }) : token
      if (answer === null) return this.#none(cookies)
      const { sub, iat } = token
      const changed = tokenOf(answer)
      const isChanged = hooks.jwt !== null && JSON.stringify(changed) !== before
      const isAged = typeof iat !== 'number' || isDue(now(), iat * 1000, lifetimeIn(token, lifetime))
      const isWritten = isChanged || isAged || isForeign || update.trigger === 'update'
      // Whose it is, when they signed in and for how long outlives every change.
      const name = isWritten && register ? register.keepName(token) : {}
      const next: Token = { ...changed, ...(subjectOf(changed) === null ? { sub } : {}), ...keptClaims(token), ...name }
      const written = isWritten ? await this.#write(next, cookies) : noCookies
      if (isWritten) await register?.touch(next, expiryOf(next, this.#rules), lifetimeIn(next, lifetime).updateAge)
      const session = await this.#session(token, next, isWritten ? expiryOf(next, this.#rules) : expires)
      return { session, signedIn: session && signedIn, cookies: written }
    } catch (error) {
      // A callback that fails ends nothing: the cookie stays, and this one answer is "nobody".
      logger.error('JWT_SESSION_ERROR', error)
      return nothing
    }
  }

  /** What the application sees; the person is the one the cookie named, as in next-auth v4. */
  async #session(token: Token, next: Token, expires: Date): Promise<Session | null> {
    const { hooks, tell } = this.#rules
    const { name, email, picture } = token
    const plain: Session = { user: { name, email, image: picture }, expires: expires.toISOString() }
    const session = hooks.session ? sessionOf(await hooks.session({ session: plain, token: next })) : plain
    if (!session) return null
    await tell('session', { session, token: next })
    return session
  }

  async #write(token: Token, cookies: RequestCookies): Promise<SetCookies> {
    const { codec, cookie, foreign, chunkSize, tokenMaxAge, now } = this.#rules
    const expires = expiryOf(token, this.#rules)
    const left = Math.floor((expires.getTime() - now()) / 1000)
    const value = await codec.encode(token, Math.min(tokenMaxAge, left))
    const until = rememberedOf(token) === 0 ? null : expires
    const written = writeChunked(cookie, value, { expires: until, size: chunkSize, cookies })
    return foreign ? joinCookies(clearChunked(foreign.cookie, cookies), written) : written
  }
}
