import type { Now } from '../clock.ts'
import { parseSetCookie, type SetCookie, violation } from './set-cookie.ts'

/** A stored cookie. */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** `null` for a session cookie. */
  readonly expires: Date | null
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: SetCookie['sameSite']
}

/** The parts of a request that decide which cookies are sent. */
export interface CookieTarget {
  readonly url: URL
  readonly method: string
  /** The `Sec-Fetch-Site` header; `cross-site` omits cookies as SameSite requires. */
  readonly site: string | null
}

/** The cookies of one origin. */
export interface CookieJar {
  /** Every cookie that has not expired, whatever its path. */
  readonly all: () => readonly Cookie[]
  /** @returns The value of the cookie with the longest path, or `null` if none has that name. */
  readonly get: (name: string) => string | null
  /** Stores a cookie without validation, as a user with access to the browser could. */
  readonly set: (name: string, value: string, attributes?: Partial<Omit<Cookie, 'name' | 'value'>>) => void
  /** Deletes every cookie of that name, whatever its path. */
  readonly delete: (name: string) => void
  readonly clear: () => void
  /** A separate jar with the same cookies: another browser that has copied them. */
  readonly clone: () => CookieJar
  /** Stores the cookie of a response. Throws if a browser would reject it. */
  readonly store: (setCookie: string, url: URL) => SetCookie
  /** The `Cookie` header of a request, or `null` if no cookie is sent. */
  readonly header: (target: CookieTarget) => string | null
}

/** Creates a cookie jar that follows RFC 6265bis. */
export function createCookieJar(clock: Now = Date, cookies: readonly Cookie[] = []): CookieJar {
  let stored = cookies
  const all = (): readonly Cookie[] => {
    stored = stored.filter(({ expires }) => expires === null || expires.getTime() > clock.now())
    return stored
  }
  const put = (cookie: Cookie): void => {
    // A replaced cookie keeps its position (§5.7, step 23).
    const index = stored.findIndex(({ name, path }) => name === cookie.name && path === cookie.path)
    stored = index < 0 ? [...stored, cookie] : stored.with(index, cookie)
    all()
  }
  return {
    all,
    get: (name) => longestFirst(all()).find((cookie) => cookie.name === name)?.value ?? null,
    set: (name, value, attributes) => put({ ...plain, ...attributes, name, value }),
    delete: (name) => {
      stored = stored.filter((cookie) => cookie.name !== name)
    },
    clear: () => {
      stored = []
    },
    clone: () => createCookieJar(clock, all()),
    store: (text, url) => {
      const cookie = parseSetCookie(text)
      refuseViolations(cookie, url)
      put(toCookie(cookie, url, clock.now()))
      return cookie
    },
    header: (target) => {
      const sent = longestFirst(all()).filter((cookie) => goesAlong(cookie, target))
      return sent.length > 0 ? sent.map(({ name, value }) => `${name}=${value}`).join('; ') : null
    }
  }
}

const plain = { path: '/', expires: null, secure: false, httpOnly: false, sameSite: null } as const

function longestFirst(cookies: readonly Cookie[]): readonly Cookie[] {
  return cookies.toSorted((a, b) => b.path.length - a.path.length)
}

function toCookie({ name, value, path, maxAge, expires, ...rest }: SetCookie, url: URL, now: number): Cookie {
  return {
    name,
    value,
    path: path?.startsWith('/') ? path : defaultPath(url),
    expires: maxAge === null ? expires : new Date(now + maxAge * 1000),
    secure: rest.secure,
    httpOnly: rest.httpOnly,
    sameSite: rest.sameSite
  }
}

function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(pathname.lastIndexOf('/'), 1))
}

function refuseViolations({ text, name, secure, path, domain, sameSite }: SetCookie, url: URL): void {
  const prefix = /^__(Host|Secure)-/i.exec(name)?.[1]?.toLowerCase()
  if (domain !== null && domain !== url.hostname && !url.hostname.endsWith(`.${domain}`)) {
    throw violation(text, `names another domain than ${url.hostname}`)
  }
  if (secure && url.protocol !== 'https:') throw violation(text, 'is Secure, but the origin is not https')
  if (prefix && !secure) throw violation(text, 'has a prefix that asks for Secure')
  if (prefix === 'host' && path !== '/') throw violation(text, 'has a prefix that asks for Path=/')
  if (prefix === 'host' && domain !== null) throw violation(text, 'has a prefix that allows no Domain')
  if (sameSite === 'None' && !secure) throw violation(text, 'is SameSite=None without Secure')
}

function goesAlong(cookie: Cookie, { url, method, site }: CookieTarget): boolean {
  if (cookie.secure && url.protocol !== 'https:') return false
  if (!isUnder(url.pathname, cookie.path)) return false
  if (site !== 'cross-site' || cookie.sameSite === 'None') return true
  // A cookie without SameSite is Lax, and Lax cookies are sent with top-level navigation (§5.5, §5.6.7).
  return cookie.sameSite !== 'Strict' && ['GET', 'HEAD'].includes(method)
}

function isUnder(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}
