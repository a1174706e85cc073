import { type CookieBudget, getRoom, measureCookies } from '../cookies/budget.ts'
import { cleared } from '../cookies/set-cookies.ts'
import { type Awaitable, whenAll } from '../model/awaitable.ts'
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

/** The cookies of pending sign-ins, each encrypted with its own key. */
type CookieName = 'state' | 'pkce' | 'nonce'

type AuthorizationStateCookies = Readonly<Record<CookieName, CookieSetting>>

export type AuthorizationStateKeys = Readonly<Record<CookieName, KeyRing>>

interface AuthorizationStateSettings {
  /** Seconds. */
  readonly maxAge: number
  readonly max: number
  readonly budget: CookieBudget
  readonly now: () => number
}

interface StateEntry extends Expiring, Omit<AuthorizationState, 'codeVerifier' | 'nonce'> {}

interface SecretEntry extends Expiring {
  readonly id: string
  readonly value: string
}

const texts = ['id', 'provider', 'issuer', 'redirectUri', 'callbackUrl'] as const

function isStateEntry(entry: Expiring): entry is StateEntry {
  const fields: Partial<Record<string, unknown>> = { ...entry }
  const isOptional = (value: unknown): boolean => value === null || typeof value === 'string'
  return (
    texts.every((name) => typeof fields[name] === 'string') &&
    ['userId', 'link'].every((name) => isOptional(fields[name]))
  )
}

function isSecretEntry(entry: Expiring): entry is SecretEntry {
  return 'id' in entry && typeof entry.id === 'string' && 'value' in entry && typeof entry.value === 'string'
}

/** The maximum length of a cookie's value: 4096 bytes minus name and attributes. */
const maxCookieLength = 3800

/** The entries of one cookie. */
interface CookieList {
  readonly setting: CookieSetting
  readonly ring: KeyRing
  readonly entries: readonly (StateEntry | SecretEntry)[]
}

/** @returns The cookies, with the entries that fit; those without an entry are removed. */
async function writeLists(lists: readonly CookieList[]): Promise<SetCookies> {
  const filled = lists.filter(({ entries }) => entries.length > 0)
  const values = await whenAll(filled.map(({ ring, entries }) => encryptText(ring, JSON.stringify(entries))))
  const isTooLong = (list: CookieList): boolean =>
    list.entries.length > 1 && (values[filled.indexOf(list)]?.length ?? 0) > maxCookieLength
  // Long callback URLs can fill the cookie with fewer than five entries: the oldest is dropped.
  if (filled.some(isTooLong))
    return writeLists(lists.map((list) => (isTooLong(list) ? { ...list, entries: list.entries.slice(0, -1) } : list)))
  const written = new Map<string, SetCookie>()
  for (const list of lists) {
    const { name, options } = list.setting
    const value = values[filled.indexOf(list)]
    const ends = Math.max(...list.entries.map((entry) => entry.ends))
    written.set(
      name,
      value === undefined ? cleared(options) : { value, attributes: options, expires: new Date(ends * 1000) }
    )
  }
  return written
}

/** A pending sign-in and the cookies without it: it is consumed, whatever the outcome. */
export interface Redeemed {
  readonly authorizationState: AuthorizationState
  readonly cookies: SetCookies
}

/**
 * The pending sign-ins of all tabs are stored in next-auth v4's three cookies. The `state` parameter tells them apart, so tabs do not
 * disturb each other.
 */
export class AuthorizationStates {
  readonly #cookies: AuthorizationStateCookies
  readonly #keys: AuthorizationStateKeys
  readonly #applicationId: string
  readonly #settings: AuthorizationStateSettings

  /** @param application - Its sign-ins are completed here; those of others stay in the cookies. */
  constructor(
    cookies: AuthorizationStateCookies,
    keys: AuthorizationStateKeys,
    application: Application,
    settings: AuthorizationStateSettings
  ) {
    this.#cookies = cookies
    this.#keys = keys
    this.#applicationId = application.id
    this.#settings = settings
  }

  /** @returns Whether the request contains any pending sign-in. */
  isIn(cookies: RequestCookies): boolean {
    return cookies.has(this.#cookies.state.name)
  }

  /** @returns The cookies with this sign-in added to those of the pending ones that the other cookies leave room for. */
  async save(attempt: AuthorizationState, cookies: RequestCookies): Promise<SetCookies> {
    const { state, pkce, nonce } = this.#cookies
    const room = getRoom(cookies, [state, pkce, nonce], this.#settings.budget)
    let { max } = this.#settings
    let written = await this.#add(attempt, cookies, max)
    while (measureCookies(written) > room && max > 1) {
      max -= 1
      written = await this.#add(attempt, cookies, max)
    }
    return written
  }

  async #add(attempt: AuthorizationState, cookies: RequestCookies, max: number): Promise<SetCookies> {
    const { codeVerifier, nonce, ...state } = attempt
    const { maxAge, now } = this.#settings
    const ends = Math.floor(now() / 1000) + maxAge
    const app = this.#applicationId
    const states = [{ ...state, ends, app }, ...(await this.#readStates(cookies))].slice(0, max)
    const lists: CookieList[] = [this.#list('state', states)]
    for (const name of ['pkce', 'nonce'] as const) {
      const value = name === 'pkce' ? codeVerifier : nonce
      if (value === null) continue
      const others = await this.#readSecrets(name, cookies)
      lists.push(this.#list(name, [{ id: attempt.id, value, ends, app }, ...others].slice(0, max)))
    }
    return writeLists(lists)
  }

  /** @returns The sign-in that `state` identifies, or `null` if this browser has none; nothing is consumed then. */
  async redeem(state: string, cookies: RequestCookies): Promise<Redeemed | null> {
    const applicationId = this.#applicationId
    const states = await this.#readStates(cookies)
    const found = states.find(({ id, app }) => id === state && app === applicationId)
    if (!found) return null
    const lists: CookieList[] = [
      this.#list(
        'state',
        states.filter(({ id }) => id !== state)
      )
    ]
    const values: { pkce: string | null; nonce: string | null } = { pkce: null, nonce: null }
    for (const name of ['pkce', 'nonce'] as const) {
      const secrets = await this.#readSecrets(name, cookies)
      values[name] = secrets.find(({ id, app }) => id === state && app === applicationId)?.value ?? null
      const others = secrets.filter(({ id }) => id !== state)
      if (cookies.has(this.#cookies[name].name)) lists.push(this.#list(name, others))
    }
    const { ends: _, app: __, ...rest } = found
    return {
      authorizationState: { ...rest, codeVerifier: values.pkce, nonce: values.nonce },
      cookies: await writeLists(lists)
    }
  }

  #list(name: CookieName, entries: CookieList['entries']): CookieList {
    return { setting: this.#cookies[name], ring: this.#keys[name], entries }
  }

  #readStates(cookies: RequestCookies): Awaitable<readonly StateEntry[]> {
    return decryptList(this.#keys.state, cookies.get(this.#cookies.state.name), isStateEntry, this.#settings.now())
  }

  #readSecrets(name: 'pkce' | 'nonce', cookies: RequestCookies): Awaitable<readonly SecretEntry[]> {
    return decryptList(this.#keys[name], cookies.get(this.#cookies[name].name), isSecretEntry, this.#settings.now())
  }
}
