import type { Now } from '../clock.ts'
import { parseSetCookie, type SetCookie, violation } from './set-cookie.ts'

/** A cookie that the browser keeps. */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** `null`: until the browser is closed. */
  readonly expires: Date | null
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: SetCookie['sameSite']
}

/** A request, as far as it decides which cookies go along. */
export interface CookieTarget {
  readonly url: URL
  readonly method: string
  /** The `Sec-Fetch-Site` header; `cross-site` holds back what SameSite says. */
  readonly site: string | null
}

/** The cookies of one origin. */
export interface CookieJar {
  /** Every cookie that has not expired, whatever its path. */
  readonly all: () => readonly Cookie[]
  /** @returns The value of the cookie with the longest path, or `null` if there is none of that name. */
  readonly get: (name: string) => string | null
  /** Puts a cookie in, as somebody with access to the browser could: no rule is asked. */
  readonly set: (name: string, value: string, attributes?: Partial<Omit<Cookie, 'name' | 'value'>>) => void
  /** Takes every cookie of that name out, whatever its path. */
  readonly delete: (name: string) => void
  readonly clear: () => void
  /** A jar of its own with the same cookies: another browser that holds a copy. */
  readonly clone: () => CookieJar
  /** Keeps what a response sets. Throws where a browser would have refused the cookie. */
  readonly store: (setCookie: string, url: URL) => SetCookie
  /** The `Cookie` header of a request, or `null` if no cookie goes along. */
  readonly header: (target: CookieTarget) => string | null
}

/** Makes a jar that keeps cookies as RFC 6265bis says. */
export function createCookieJar(clock: Now = Date, cookies: readonly Cookie[] = []): CookieJar {
  let kept = cookies
  const all = (): readonly Cookie[] => {
    kept = kept.filter(({ expires }) => expires === null || expires.getTime() > clock.now())
    return kept
  }
  const put = (cookie: Cookie): void => {
    // A cookie that is replaced keeps its place (§5.7, step 23).
    const index = kept.findIndex(({ name, path }) => name === cookie.name && path === cookie.path)
    kept = index < 0 ? [...kept, cookie] : kept.with(index, cookie)
    all()
  }
  return {
    all,
    get: (name) => longestFirst(all()).find((cookie) => cookie.name === name)?.value ?? null,
    set: (name, value, attributes) => put({ ...plain, ...attributes, name, value }),
    delete: (name) => {
      kept = kept.filter((cookie) => cookie.name !== name)
    },
    clear: () => {
      kept = []
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
  // A cookie that says nothing is Lax, and Lax goes along where a visitor only follows a link (§5.5, §5.6.7).
  return cookie.sameSite !== 'Strict' && ['GET', 'HEAD'].includes(method)
}

function isUnder(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}
