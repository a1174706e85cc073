import type { AdapterSession, AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { readChunked } from '../cookies/chunks.ts'
import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { Remembered } from '../hooks/remember.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import { equalInConstantTime, keyedHash, keyedHashes } from '../tokens/hash.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { Memo } from '../tokens/memo.ts'

/** How session tokens stand in the store: hashed; old plain rows read besides; or plain as in next-auth v4. */
export type SessionStorage = 'hashed' | 'both' | 'plain'

const mark = 'h1.'

/** @returns Whether a cookie holds what only the store may hold: such a value is never looked up. */
export function isStoredForm(token: string): boolean {
  return token.startsWith(mark)
}

/** @returns What the store keeps of a new token. */
export async function toStored(token: string, ring: KeyRing, storage: SessionStorage): Promise<string> {
  return storage === 'plain' ? token : mark + (await keyedHash(ring, token))
}

/** @returns Every form in which the store may hold this token, the likeliest first. */
export async function storedForms(token: string, ring: KeyRing, storage: SessionStorage): Promise<readonly string[]> {
  if (isStoredForm(token)) return []
  if (storage === 'plain') return [token]
  const hashed = (await keyedHashes(ring, token)).map((hash) => mark + hash)
  return storage === 'both' ? [...hashed, token] : hashed
}

const timed = /\.([0-9a-z]{1,9})(?:~([0-9a-z]{1,9}))?$/

/**
 * A session token that says when it was made: random, a dot, the second in base 36.
 *
 * The store finds only the whole text, so the time is as good as the token.
 */
export function timedToken(random: string, now: number): string {
  return `${random}.${Math.floor(now / 1000).toString(36)}`
}

/** @returns The token, which says besides how long its session lasts; as it is where that is as configured. */
export function rememberedToken(token: string, remembered: Remembered, now: number): string {
  if (remembered === null) return token
  return `${timeOf(token) ? token : timedToken(token, now)}~${remembered.toString(36)}`
}

/** @returns How long the session of a token lasts, where the token says so. */
export function rememberedIn(token: string): Remembered {
  const [, , remembered] = timed.exec(token) ?? []
  return remembered === undefined ? null : Number.parseInt(remembered, 36)
}

/** @returns When a session token of ours was made, or `null` for one of another make. */
export function timeOf(token: string): Date | null {
  const seconds = Number.parseInt(timed.exec(token)?.[1] ?? '', 36)
  return Number.isNaN(seconds) ? null : new Date(seconds * 1000)
}

/**
 * A second cookie beside a session token that the store holds as it is.
 *
 * Whoever reads the table has the token and lacks this: a keyed hash of it. next-auth v4, which may share the table,
 * neither asks for it nor minds it; sessions that it began have none, and are told by their token, which does not say
 * when it was made.
 */
export interface SessionProof {
  readonly cookie: CookieSetting
  readonly keys: KeyRing
}

/** Whether a token came from a browser that it was given to. */
async function isProven(token: string, cookies: RequestCookies, proof: SessionProof): Promise<boolean> {
  if (timeOf(token) === null) return true
  const given = cookies.get(proof.cookie.name) ?? ''
  return (await keyedHashes(proof.keys, token)).some((hash) => equalInConstantTime(hash, given))
}

/** The longest that a browser keeps a cookie, in milliseconds (RFC 6265bis §5.6.2). */
const longest = 400 * 24 * 60 * 60 * 1000

/**
 * The cookie to send with a token. It outlives the session: whoever shares the table renews the session without it.
 *
 * @param now - Milliseconds since 1970; `null` for a cookie that lasts until the browser closes.
 */
export async function prove(token: string, now: number | null, proof: SessionProof | null): Promise<SetCookies> {
  if (!proof || timeOf(token) === null) return noCookies
  const expires = now === null ? null : new Date(now + longest)
  return setCookie(proof.cookie.name, await keyedHash(proof.keys, token), proof.cookie.options, expires)
}

/** The removal of the cookie, where the request brought it. */
export function clearProof(cookies: RequestCookies, proof: SessionProof | null): SetCookies {
  return proof && cookies.has(proof.cookie.name) ? clearCookie(proof.cookie.name, proof.cookie.options) : noCookies
}

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
      if (proof && !(await isProven(token, cookies, proof))) continue
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
