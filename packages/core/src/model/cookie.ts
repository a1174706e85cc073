/** The attributes of a cookie (RFC 6265bis §4.1.2). */
export interface CookieAttributes {
  readonly httpOnly?: boolean | undefined
  readonly sameSite?: 'lax' | 'strict' | 'none' | undefined
  readonly path?: string | undefined
  readonly secure?: boolean | undefined
  readonly domain?: string | undefined
  /** Seconds; if unset, the browser deletes the cookie when it closes. */
  readonly maxAge?: number | undefined
}

/** A cookie that an application may rename or restrict. */
export interface CookieSetting {
  readonly name: string
  readonly options: CookieAttributes
}

/** A cookie to send to the browser. If `expires` is `null`, it lasts until the browser is closed. */
export interface SetCookie {
  readonly value: string
  readonly attributes: CookieAttributes
  readonly expires: Date | null
}

/** Cookies to set, by name: steps return them and the caller joins them. */
export type SetCookies = ReadonlyMap<string, SetCookie>

/** The cookies of a request, by name; the first of several with one name, and the next two by a key that is no name. */
export type RequestCookies = ReadonlyMap<string, string>
