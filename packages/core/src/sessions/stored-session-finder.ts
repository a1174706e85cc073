import type { AdapterSession, AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { readChunked } from '../cookies/chunks.ts'
import type { CookieSetting, RequestCookies } from '../model/cookie.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { isOver, type Lifetime, lifetimeOf } from './expiry.ts'
import { storedSessionId } from './session-metadata.ts'
import { isProven, rememberedIn, type SessionProof, type SessionStorage, storedForms, timeOf } from './session-token-storage.ts'
import type { FoundSession, SessionFinder, SessionKey, SignedIn } from './strategy.ts'

/** What stored sessions are found with. */
export interface StoredFinderRules {
  readonly store: Store
  readonly cookie: CookieSetting
  /** The session cookie of another library, which holds the same kind of token; `null` where only ours counts. */
  readonly foreign: CookieSetting | null
  readonly storage: SessionStorage
  readonly keys: KeyRing
  /** What a token needs besides where the store holds it plain; `null` elsewhere. */
  readonly proof: SessionProof | null
  readonly lifetime: Lifetime
  readonly now: () => number
}

interface Row {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/** A row that was found, and the text of the cookie that led to it. */
export interface StoredSession extends Row, FoundSession {
  readonly token: string
  readonly isForeign: boolean
  readonly since: Date | null
  /** How long it lasts from its last renewal on. */
  readonly lifetime: Lifetime
}

/** Finds sessions that the store keeps. */
export class StoredSessionFinder implements SessionFinder {
  readonly #rules: StoredFinderRules

  constructor(rules: StoredFinderRules) {
    this.#rules = rules
  }

  /** Finds the row that a cookie is a key to, in its time or not. @throws AuthError `StoreUnavailable` */
  async find(cookies: RequestCookies): Promise<StoredSession | null> {
    const { store, cookie, foreign, proof, keys, storage } = this.#rules
    const own = readChunked(cookies, cookie.name)
    const others = foreign ? readChunked(cookies, foreign.name) : []
    for (const token of [...own, ...others]) {
      if (proof && !(await isProven(token, cookies, proof))) continue
      for (const sessionToken of await storedForms(token, keys, storage)) {
        const row = await store.getSessionAndUser(sessionToken)
        // A store that compares more loosely than we do must not decide whose session this is.
        const isExact = row?.session.sessionToken === sessionToken && row.session.userId === row.user.id
        if (row && isExact) return this.#found(token, !own.includes(token), row)
      }
    }
    return null
  }

  /** Only looks whose session it is. */
  async identify(cookies: RequestCookies): Promise<SignedIn | null> {
    return (await this.find(cookies))?.signedIn ?? null
  }

  async keyOf(cookies: RequestCookies): Promise<SessionKey | null> {
    const found = await this.find(cookies)
    if (!found?.signedIn) return null
    return { id: await storedSessionId(found.session.sessionToken), userId: found.user.id }
  }

  #found(token: string, isForeign: boolean, { session, user }: Row): StoredSession {
    const since = timeOf(token)
    const lifetime = lifetimeOf(this.#rules.lifetime, rememberedIn(token))
    const { sessionToken: handle, expires } = session
    const isPast = isOver(this.#rules.now(), expires, since, lifetime)
    const signedIn = isPast ? null : { userId: user.id, name: user.name ?? null, email: user.email ?? null, since }
    return { token, isForeign, since, lifetime, session, user, signedIn, handle, expires }
  }
}
