import type { AdapterSession, AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { readChunked } from '../cookies/chunks.ts'
import type { CookieSetting, RequestCookies } from '../model/cookie.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { Memo } from '../tokens/memo.ts'
import { isProven, type SessionProof } from './session-proof.ts'
import { type SessionStorage, storedForms, timeOf } from './stored-token.ts'

/** What stored sessions are found with. */
export interface StoredLookup {
  readonly store: Store
  readonly cookie: CookieSetting
  /** The session cookie of another library, which holds the same kind of token; `null` where only ours counts. */
  readonly foreign: CookieSetting | null
  readonly storage: SessionStorage
  readonly keys: KeyRing
  /** What a token needs besides where the store holds it plain; `null` elsewhere. */
  readonly proof: SessionProof | null
}

/** A row that was found, and the text of the cookie that led to it. */
export interface FoundSession {
  readonly token: string
  readonly isForeign: boolean
  readonly since: Date | null
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/** Characters of tokens and their hashes that are kept: some 2 MB, or twenty thousand sessions. */
const hashedCharacters = 2_000_000

/** Finds the row that a cookie is a key to. */
export class StoredSessionFinder {
  readonly #lookup: StoredLookup
  readonly #known = new Memo(hashedCharacters)

  constructor(lookup: StoredLookup) {
    this.#lookup = lookup
  }

  /** @returns The row, in its time or not. @throws AuthError `StoreUnavailable` */
  async find(cookies: RequestCookies): Promise<FoundSession | null> {
    const { store, cookie, foreign, proof } = this.#lookup
    const own = readChunked(cookies, cookie.name)
    const others = foreign ? readChunked(cookies, foreign.name) : []
    for (const token of [...own, ...others]) {
      if (!(await isProven(token, cookies, proof))) continue
      for (const sessionToken of await this.#forms(token)) {
        const row = await store.getSessionAndUser(sessionToken)
        // A store that compares more loosely than we do must not decide whose session this is.
        const isExact = row?.session.sessionToken === sessionToken && row.session.userId === row.user.id
        if (row && isExact) return { token, isForeign: !own.includes(token), since: timeOf(token), ...row }
      }
    }
    return null
  }

  /** A keyed hash is made once for each token, not for each request. */
  async #forms(token: string): Promise<readonly string[]> {
    const { keys, storage } = this.#lookup
    const known = this.#known.get(token)
    if (known !== null) return known.split('\n')
    const forms = await storedForms(token, keys, storage)
    if (forms.length > 0) this.#known.set(token, forms.join('\n'))
    return forms
  }
}
