import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { CookieAttributes, RequestCookies, SetCookies } from '../model/cookie.ts'
import { isObject } from '../model/json-object.ts'
import { decryptText, encryptText } from '../tokens/jwe.ts'
import type { KeyRing } from '../tokens/keys.ts'

/** A cookie whose content is encrypted, bound to an application, and expires. */
export class EncryptedCookie {
  readonly #keys: KeyRing
  readonly #maxAge: number
  readonly #site: Omit<CookieSite, 'secrets' | 'basePath'>
  readonly #name: string
  readonly #attributes: CookieAttributes

  constructor(
    { name, path, hasHostPrefix = false, maxAge, keys }: EncryptedCookieSettings,
    site: Omit<CookieSite, 'secrets' | 'basePath'>
  ) {
    const { hasSecureCookies: secure } = site
    const prefix = hasHostPrefix ? '__Host-' : '__Secure-'
    this.#keys = keys
    this.#maxAge = maxAge
    this.#site = site
    this.#name = `${secure ? prefix : ''}postern.${name}`
    this.#attributes = { httpOnly: true, sameSite: 'lax', path: hasHostPrefix ? '/' : path, secure }
  }

  /** Whether a request contains the cookie. */
  isIn(cookies: RequestCookies): boolean {
    return cookies.has(this.#name)
  }

  /** @returns The value; `null` if the cookie is missing, expired, damaged, or of another application. */
  async read(cookies: RequestCookies): Promise<string | null> {
    const { applicationId, now } = this.#site
    const encrypted = cookies.get(this.#name)
    const text = encrypted ? await decryptText(this.#keys, encrypted) : null
    if (text === null) return null
    const content: unknown = JSON.parse(text)
    if (!isObject(content) || content['app'] !== applicationId || typeof content['value'] !== 'string') return null
    return Number(content['expires']) > now() ? content['value'] : null
  }

  async create(value: string): Promise<SetCookies> {
    const { applicationId, now } = this.#site
    const expires = now() + this.#maxAge * 1000
    const encrypted = await encryptText(this.#keys, JSON.stringify({ value, app: applicationId, expires }))
    return setCookie(this.#name, encrypted, this.#attributes, new Date(expires))
  }

  /** The removal of the cookie; nothing if the request does not contain it. */
  clearIn(cookies: RequestCookies): SetCookies {
    return this.isIn(cookies) ? this.clear() : noCookies
  }

  clear(): SetCookies {
    return clearCookie(this.#name, this.#attributes)
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
}
