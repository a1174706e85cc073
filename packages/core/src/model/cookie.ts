/** The attributes of a cookie (RFC 6265bis §4.1.2). */
export interface CookieAttributes {
  readonly httpOnly?: boolean | undefined
  readonly sameSite?: 'lax' | 'strict' | 'none' | undefined
  readonly path?: string | undefined
  readonly secure?: boolean | undefined
  readonly domain?: string | undefined
  /** Seconds; without it the browser forgets the cookie when it closes. */
  readonly maxAge?: number | undefined
}

/** A cookie that an application may rename or restrict. */
export interface CookieSetting {
  readonly name: string
  readonly options: CookieAttributes
}

/** A cookie on its way to the browser; `expires` `null` lasts until the browser closes. */
export interface SetCookie {
  readonly value: string
  readonly attributes: CookieAttributes
  readonly expires: Date | null
}

/** Cookies to be set, by name: a value that steps return and the caller joins. */
export type SetCookies = ReadonlyMap<string, SetCookie>

/** The cookies that a request brought, by name; the first of several with one name. */
export type RequestCookies = ReadonlyMap<string, string>
