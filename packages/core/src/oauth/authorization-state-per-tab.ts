import { type CookieBudget, getRoom, measureCookies } from '../cookies/budget.ts'
import { cleared } from '../cookies/set-cookies.ts'
import type { MaybePromise } from '../model/awaitable.ts'
import type { CookieSetting, RequestCookies, SetCookie, SetCookies } from '../model/cookie.ts'
import type { AuthenticationRequirements } from '../model/provider.ts'
import type { Application } from '../tokens/application.ts'
import { decryptList, type Expiring } from '../tokens/encrypted-list.ts'
import { encryptText } from '../tokens/jwe.ts'
import type { KeyRing } from '../tokens/keys.ts'

/** A pending sign-in of one tab, which the authorization response is validated against. */
export interface AuthorizationState {
  /** The `state` parameter. */
  readonly id: string
  readonly provider: string
  readonly issuer: string
  readonly redirectUri: string
  readonly callbackUrl: string
  /** The user who was signed in when it began. */
  readonly userId: string | null
  /** The form field `link` of a sign-in that links an account to the signed-in user; otherwise `null`. */
  readonly link: string | null
  readonly codeVerifier: string | null
  readonly nonce: string | null
  /** What this sign-in must prove, in addition to what the provider requires. @defaultValue nothing */
  readonly requires?: Partial<AuthenticationRequirements>
}

interface AuthorizationStateSettings {
  /** Those that next-auth v4 has for the state, the code verifier and the nonce. */
  readonly cookies: readonly CookieSetting[]
  readonly ring: KeyRing
  /** Seconds. */
  readonly maxAge: number
  readonly max: number
  readonly budget: CookieBudget
  readonly now: () => number
}

interface StateEntry extends Expiring, AuthorizationState {}

const texts = ['id', 'provider', 'issuer', 'redirectUri', 'callbackUrl']
const nullableTexts = ['userId', 'link', 'codeVerifier', 'nonce']

function isStateEntry(entry: Expiring): entry is StateEntry {
  const fields: Partial<Record<string, unknown>> = { ...entry }
  const isNullable = (value: unknown): boolean => value === null || typeof value === 'string'
  return (
    texts.every((name) => typeof fields[name] === 'string') && nullableTexts.every((name) => isNullable(fields[name]))
  )
}

/**
 * The maximum length of the three values together, if they contain several sign-ins. By default, nginx accepts header fields of up to
 * 8 kB (`large_client_header_buffers`), and `Cookie` also contains the session.
 */
const maxLength = 5000

/** A pending sign-in and the cookies without it: it is consumed, whatever the outcome. */
export interface Redeemed {
  readonly authorizationState: AuthorizationState
  readonly cookies: SetCookies
}

/**
 * The pending sign-ins of all tabs are one encrypted list. Each of next-auth v4's three cookies contains a third of it: with a list and
 * a cipher for each cookie, the start of a sign-in takes a third longer. The `state` parameter tells sign-ins apart, so tabs do not
 * disturb each other.
 */
export class AuthorizationStates {
  readonly #applicationId: string
  readonly #settings: AuthorizationStateSettings

  /** @param application - Its sign-ins are completed here; those of others stay in the cookies. */
  constructor(application: Application, settings: AuthorizationStateSettings) {
    this.#applicationId = application.id
    this.#settings = settings
  }

  /** @returns Whether the request contains all cookies of pending sign-ins. */
  isIn(cookies: RequestCookies): boolean {
    return this.#settings.cookies.every(({ name }) => cookies.has(name))
  }

  /** @returns The cookies with this sign-in added to those of the pending ones that the other cookies leave room for. */
  async save(attempt: AuthorizationState, cookies: RequestCookies): Promise<SetCookies> {
    const { cookies: own, maxAge, max, budget, now } = this.#settings
    const ends = Math.floor(now() / 1000) + maxAge
    const entry = { ...attempt, ends, app: this.#applicationId }
    const entries = [entry, ...(await this.#read(cookies))].slice(0, max)
    const room = getRoom(cookies, own, budget)
    let written = await this.#write(entries)
    while (measureCookies(written) > room && entries.length > 1) {
      entries.pop()
      written = await this.#write(entries)
    }
    return written
  }

  /** @returns The sign-in that `state` identifies, or `null` if this browser has none; nothing is consumed then. */
  async redeem(state: string, cookies: RequestCookies): Promise<Redeemed | null> {
    const entries = await this.#read(cookies)
    const found = entries.find(({ id, app }) => id === state && app === this.#applicationId)
    if (!found) return null
    const { ends: _, app: __, ...authorizationState } = found
    return { authorizationState, cookies: await this.#write(entries.filter(({ id }) => id !== state)) }
  }

  #read(cookies: RequestCookies): MaybePromise<readonly StateEntry[]> {
    const { cookies: own, ring, now } = this.#settings
    let value = ''
    for (const { name } of own) value += cookies.get(name) ?? ''
    return decryptList(ring, value, isStateEntry, now())
  }

  /** @returns The cookies, with the entries that fit; without an entry, they are removed. */
  async #write(entries: readonly StateEntry[]): Promise<SetCookies> {
    const { cookies: own, ring } = this.#settings
    const written = new Map<string, SetCookie>()
    if (entries.length === 0) {
      for (const { name, options } of own) written.set(name, cleared(options))
      return written
    }
    const value = await encryptText(ring, JSON.stringify(entries))
    // Long callback URLs can fill the cookies with fewer than five entries: the oldest is dropped.
    if (value.length > maxLength && entries.length > 1) return this.#write(entries.slice(0, -1))
    const length = Math.ceil(value.length / own.length)
    const expires = new Date(Math.max(...entries.map(({ ends }) => ends)) * 1000)
    for (const [index, { name, options }] of own.entries())
      written.set(name, { value: value.slice(index * length, (index + 1) * length), attributes: options, expires })
    return written
  }
}
