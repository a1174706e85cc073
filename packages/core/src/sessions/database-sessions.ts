import type { AdapterSession, AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { clearChunked, readChunked, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import type { Tell } from '../hooks/events.ts'
import { type Hooks, sessionOf } from '../hooks/hooks.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import type { Session } from '../model/session.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { Memo } from '../tokens/memo.ts'
import { isDue, isOver, type Lifetime, lifetimeOf, nextExpiry } from './expiry.ts'
import { rememberedIn, rememberedToken, type SessionStorage, storedForms, timeOf, toStored } from './stored-token.ts'
import type { Admission, Reading, SessionStrategy, SignedIn } from './strategy.ts'

/** What database sessions are made with. */
export interface DatabaseSessionRules {
  readonly store: Store
  readonly cookie: CookieSetting
  /** The session cookie of another library, which holds the same kind of token; `null` where only ours counts. */
  readonly foreign: CookieSetting | null
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
  readonly isForeign: boolean
  readonly since: Date | null
  readonly session: AdapterSession
  readonly user: AdapterUser
}

const nothing: Reading = { session: null, signedIn: null, cookies: noCookies }

/** Characters of tokens and their hashes that are kept: some 2 MB, or twenty thousand sessions. */
const hashedCharacters = 2_000_000

/** The cookie is a key to the store. */
export class DatabaseSessions implements SessionStrategy {
  readonly #rules: DatabaseSessionRules
  readonly #known = new Memo(hashedCharacters)

  constructor(rules: DatabaseSessionRules) {
    this.#rules = rules
  }

  async open({ user, remembered, store: within }: Admission, cookies: RequestCookies): Promise<SetCookies> {
    const store = within ?? this.#rules.store
    const { keys, storage, generateToken, lifetime, now } = this.#rules
    const previous = await this.#find(cookies)
    const token = rememberedToken(await generateToken(), remembered, now())
    const expires = nextExpiry(now(), timeOf(token), lifetimeOf(lifetime, remembered))
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
    const { store, tell } = this.#rules
    const found = await this.#find(cookies)
    if (found) {
      const deleted = await store.deleteSession(found.session.sessionToken)
      await tell('signOut', { session: deleted ?? found.session })
    }
    return this.#clear(cookies)
  }

  async identify(cookies: RequestCookies): Promise<SignedIn | null> {
    const found = await this.#find(cookies)
    return found && this.#isLive(found) ? signedInOf(found) : null
  }

  /** A keyed hash is made once for each token, not for each request. */
  async #forms(token: string): Promise<readonly string[]> {
    const { keys, storage } = this.#rules
    const known = this.#known.get(token)
    if (known !== null) return known.split('\n')
    const forms = await storedForms(token, keys, storage)
    if (forms.length > 0) this.#known.set(token, forms.join('\n'))
    return forms
  }

  async #find(cookies: RequestCookies): Promise<Found | null> {
    const { store, cookie, foreign } = this.#rules
    const own = readChunked(cookies, cookie.name)
    const others = foreign ? readChunked(cookies, foreign.name) : []
    for (const token of [...own, ...others]) {
      for (const sessionToken of await this.#forms(token)) {
        const row = await store.getSessionAndUser(sessionToken)
        // A store that compares more loosely than we do must not decide whose session this is.
        const isExact = row?.session.sessionToken === sessionToken && row.session.userId === row.user.id
        if (row && isExact) return { token, isForeign: !own.includes(token), since: timeOf(token), ...row }
      }
    }
    return null
  }

  #isLive({ token, session, since }: Found): boolean {
    return !isOver(this.#rules.now(), session.expires, since, this.#lifetime(token))
  }

  async #reading(cookies: RequestCookies, update: { trigger?: 'update'; newSession?: unknown }): Promise<Reading> {
    const { store, logger } = this.#rules
    const found = await this.#find(cookies)
    if (!found || !this.#isLive(found)) {
      if (found) await store.deleteSession(found.session.sessionToken)
      const cleared = this.#clear(cookies)
      return cleared.size === 0 ? nothing : { ...nothing, cookies: cleared }
    }
    const renewed = await this.#renew(await this.#rehashed(found), cookies)
    try {
      const session = await this.#session(found, update)
      return { session, signedIn: session && signedInOf(found), cookies: renewed }
    } catch (error) {
      logger.error('SESSION_ERROR', error)
      return nothing
    }
  }

  /** A row that still stands plain, from before the change-over, is kept hashed from its first use on. */
  async #rehashed(found: Found): Promise<Found> {
    const { store, keys, storage } = this.#rules
    const { token, session } = found
    if (storage !== 'both' || session.sessionToken !== token) return found
    const hashed = { ...session, sessionToken: await toStored(token, keys, storage) }
    await store.createSession(hashed).catch(async (error: unknown) => {
      // Another request of the same moment may have been faster: then it is there.
      if (!(await store.getSessionAndUser(hashed.sessionToken))) throw error
    })
    await store.deleteSession(token)
    return { ...found, session: hashed }
  }

  /** Writes the new end of a session that is old enough, and nothing otherwise. */
  async #renew({ token, isForeign, since, session }: Found, cookies: RequestCookies): Promise<SetCookies> {
    const { store, now } = this.#rules
    const lifetime = this.#lifetime(token)
    const writtenAt = session.expires.getTime() - lifetime.maxAge * 1000
    const expires = nextExpiry(now(), since, lifetime)
    const isLate = isDue(now(), writtenAt, lifetime) && expires > session.expires
    if (!isLate) return isForeign ? this.#cookie(token, session.expires, cookies) : noCookies
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
    const seen = hooks.session ? sessionOf(await hooks.session({ session: plain, user, ...update })) : plain
    if (!seen) return null
    await tell('session', { session: seen })
    return seen
  }

  #lifetime(token: string): Lifetime {
    return lifetimeOf(this.#rules.lifetime, rememberedIn(token))
  }

  #cookie(token: string, expires: Date, cookies: RequestCookies): SetCookies {
    const { cookie, chunkSize } = this.#rules
    const until = rememberedIn(token) === 0 ? null : expires
    return joinCookies(this.#clear(cookies), writeChunked(cookie, token, { expires: until, size: chunkSize, cookies }))
  }

  #clear(cookies: RequestCookies): SetCookies {
    const { cookie, foreign } = this.#rules
    return joinCookies(clearChunked(cookie, cookies), foreign ? clearChunked(foreign, cookies) : noCookies)
  }
}

function signedInOf({ user, since }: Found): SignedIn {
  return { userId: user.id, name: user.name ?? null, email: user.email ?? null, since }
}
