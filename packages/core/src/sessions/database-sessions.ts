import type { AdapterSession, AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import type { Tell } from '../hooks/events.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import type { Session } from '../model/session.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { isDue, isOver, type Lifetime, nextExpiry } from './expiry.ts'
import { type SessionStorage, storedForms, timeOf, toStored } from './stored-token.ts'
import type { Admission, Reading, SessionStrategy, SignedIn } from './strategy.ts'

/** What database sessions are made with. */
export interface DatabaseSessionRules {
  readonly store: Store
  readonly cookie: CookieSetting
  readonly chunkSize: number
  readonly lifetime: Lifetime
  readonly storage: SessionStorage
  readonly keys: KeyRing
  readonly generateToken: () => string | Promise<string>
  readonly hooks: Pick<Hooks, 'session'>
  readonly tell: Tell
  readonly logger: Logger
  readonly now: () => number
}

/** A row that was found, and the text of the cookie that led to it. */
interface Found {
  readonly token: string
  readonly since: Date | null
  readonly session: AdapterSession
  readonly user: AdapterUser
}

const nothing: Reading = { session: null, signedIn: null, cookies: noCookies }

/** The cookie is a key to the store. */
export class DatabaseSessions implements SessionStrategy {
  readonly #rules: DatabaseSessionRules

  constructor(rules: DatabaseSessionRules) {
    this.#rules = rules
  }

  async open({ user }: Admission, cookies: RequestCookies): Promise<SetCookies> {
    const { store, keys, storage, generateToken, lifetime, now } = this.#rules
    const previous = await this.#find(cookies)
    const token = await generateToken()
    const expires = nextExpiry(now(), timeOf(token), lifetime)
    await store.createSession({ sessionToken: await toStored(token, keys, storage), userId: user.id, expires })
    if (previous) await store.deleteSession(previous.session.sessionToken)
    return this.#cookie(token, expires, cookies)
  }

  async read(cookies: RequestCookies): Promise<Reading> {
    return this.#reading(cookies, {})
  }

  async update(cookies: RequestCookies, data: unknown): Promise<Reading> {
    return this.#reading(cookies, { trigger: 'update', newSession: data })
  }

  async close(cookies: RequestCookies): Promise<SetCookies> {
    const { store, tell, cookie } = this.#rules
    const found = await this.#find(cookies)
    if (found) {
      const deleted = await store.deleteSession(found.session.sessionToken)
      await tell('signOut', { session: deleted ?? found.session })
    }
    return clearChunked(cookie, cookies)
  }

  async identify(cookies: RequestCookies): Promise<SignedIn | null> {
    const found = await this.#find(cookies)
    return found && this.#isLive(found) ? signedInOf(found) : null
  }

  async #find(cookies: RequestCookies): Promise<Found | null> {
    const { store, keys, storage, cookie } = this.#rules
    for (const token of readChunked(cookies, cookie.name)) {
      for (const sessionToken of await storedForms(token, keys, storage)) {
        const row = await store.getSessionAndUser(sessionToken)
        // A store that compares more loosely than we do must not decide whose session this is.
        const isExact = row?.session.sessionToken === sessionToken && row.session.userId === row.user.id
        if (row && isExact) return { token, since: timeOf(token), ...row }
      }
    }
    return null
  }

  #isLive({ session, since }: Found): boolean {
    return !isOver(this.#rules.now(), session.expires, since, this.#rules.lifetime)
  }

  async #reading(cookies: RequestCookies, update: { trigger?: 'update'; newSession?: unknown }): Promise<Reading> {
    const { store, logger, cookie } = this.#rules
    const found = await this.#find(cookies)
    if (!found || !this.#isLive(found)) {
      if (found) await store.deleteSession(found.session.sessionToken)
      const cleared = clearChunked(cookie, cookies)
      return cleared.size === 0 ? nothing : { ...nothing, cookies: cleared }
    }
    const renewed = await this.#renew(found, cookies)
    try {
      const session = await this.#session(found, update)
      return { session, signedIn: session && signedInOf(found), cookies: renewed }
    } catch (error) {
      logger.error('SESSION_ERROR', error)
      return nothing
    }
  }

  /** Writes the new end of a session that is old enough, and nothing otherwise. */
  async #renew({ token, since, session }: Found, cookies: RequestCookies): Promise<SetCookies> {
    const { store, lifetime, now } = this.#rules
    const writtenAt = session.expires.getTime() - lifetime.maxAge * 1000
    const expires = nextExpiry(now(), since, lifetime)
    if (!isDue(now(), writtenAt, lifetime) || expires <= session.expires) return noCookies
    await store.updateSession({ sessionToken: session.sessionToken, expires })
    return this.#cookie(token, expires, cookies)
  }

  /** What the application sees; `expires` is the stored end before it was renewed, as in next-auth v4. */
  async #session(
    { session, user }: Found,
    update: { trigger?: 'update'; newSession?: unknown }
  ): Promise<Session | null> {
    const { hooks, tell } = this.#rules
    const { name, email, image } = user
    const plain: Session = { user: { name, email, image }, expires: session.expires.toISOString() }
    const seen = hooks.session ? await hooks.session({ session: plain, user, ...update }) : plain
    if (typeof seen !== 'object' || seen === null) return null
    await tell('session', { session: seen })
    return seen
  }

  #cookie(token: string, expires: Date, cookies: RequestCookies): SetCookies {
    const { cookie, chunkSize } = this.#rules
    return writeChunked(cookie, token, { expires, size: chunkSize, cookies })
  }
}

function signedInOf({ user, since }: Found): SignedIn {
  return { userId: user.id, name: user.name ?? null, email: user.email ?? null, since }
}
