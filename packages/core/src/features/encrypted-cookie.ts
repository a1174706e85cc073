import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { CookieAttributes, RequestCookies, SetCookies } from '../model/cookie.ts'
import { isObject } from '../model/json-object.ts'
import { decryptText, encryptText } from '../tokens/jwe.ts'
import type { KeyRing } from '../tokens/keys.ts'

/** A cookie whose content is encrypted, bound to an application, and expires. */
export class EncryptedCookie {
  readonly #settings: EncryptedCookieSettings
  readonly #plainName: string
  readonly #secureName: string

  constructor(settings: EncryptedCookieSettings) {
    const { name, hasHostPrefix = false } = settings
    this.#settings = settings
    this.#plainName = `postern.${name}`
    this.#secureName = `${hasHostPrefix ? '__Host-' : '__Secure-'}${this.#plainName}`
  }

  #name(isSecure: boolean): string {
    return isSecure ? this.#secureName : this.#plainName
  }

  #attributes(isSecure: boolean): CookieAttributes {
    const { path, hasHostPrefix = false } = this.#settings
    return { httpOnly: true, sameSite: 'lax', path: hasHostPrefix ? '/' : path, secure: isSecure }
  }

  /** Whether a request contains the cookie. */
  isIn(cookies: RequestCookies, isSecure: boolean): boolean {
    return cookies.has(this.#name(isSecure))
  }

  /** @returns The value; `null` if the cookie is missing, expired, damaged, or of another application. */
  async read(cookies: RequestCookies, isSecure: boolean): Promise<string | null> {
    const { keys, applicationId, now } = this.#settings
    const encrypted = cookies.get(this.#name(isSecure))
    const text = encrypted ? await decryptText(keys, encrypted) : null
    if (text === null) return null
    const content: unknown = JSON.parse(text)
    if (!isObject(content) || content['app'] !== applicationId || typeof content['value'] !== 'string') return null
    return Number(content['expires']) > now() ? content['value'] : null
  }

  async create(value: string, isSecure: boolean): Promise<SetCookies> {
    const { keys, applicationId, now, maxAge } = this.#settings
    const expires = now() + maxAge * 1000
    const encrypted = await encryptText(keys, JSON.stringify({ value, app: applicationId, expires }))
    return setCookie(this.#name(isSecure), encrypted, this.#attributes(isSecure), new Date(expires))
  }

  /** The removal of the cookie; nothing if the request does not contain it. */
  clearIn(cookies: RequestCookies, isSecure: boolean): SetCookies {
    return this.isIn(cookies, isSecure) ? this.clear(isSecure) : noCookies
  }

  clear(isSecure: boolean): SetCookies {
    return clearCookie(this.#name(isSecure), this.#attributes(isSecure))
  }
}

/** What the encrypted cookies of an origin have in common. */
export interface CookieSite {
  readonly secrets: readonly string[]
  readonly applicationId: string
  /** The path below which Postern answers; empty for all paths. */
  readonly basePath: string
  readonly hasSecureCookies: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface EncryptedCookieSettings {
  /** The part of the name after `postern.`. */
  readonly name: string
  readonly path: string
  /** Whether the name starts with `__Host-` where cookies are secure; the path is `/` then. */
  readonly hasHostPrefix?: boolean
  /** Seconds. */
  readonly maxAge: number
  readonly keys: KeyRing
  readonly applicationId: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}
