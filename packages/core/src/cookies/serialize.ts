import type { CookieAttributes, SetCookie, SetCookies } from '../model/cookie.ts'

const token = /^[\w!#$%&'*.^`|~+-]+$/
const printable = /^[\x20-\x3a\x3c-\x7e]*$/

function refuse(name: string, expectation: string): never {
  throw new TypeError(`cookie ${JSON.stringify(name)}: ${expectation}`)
}

/** Refuses what a browser would drop or misread: foreign attributes in a name, and what a prefix forbids. */
function assertSendable(name: string, { path, domain, secure, sameSite }: SetCookie['attributes']): void {
  if (!token.test(name)) refuse(name, 'expected a name of token characters (RFC 6265bis §4.1.1)')
  if (name.startsWith('__Secure-') && !secure) refuse(name, 'the prefix __Secure- needs Secure')
  if (name.startsWith('__Host-') && (!secure || path !== '/' || domain)) {
    refuse(name, 'the prefix __Host- needs Secure, Path=/ and no Domain')
  }
  if (sameSite === 'none' && !secure) refuse(name, 'SameSite=None needs Secure')
}

const sameSiteText = { lax: 'Lax', strict: 'Strict', none: 'None' } as const

/** When the browser forgets the cookie: at its end, or after the time that the application gave it. */
function endOf({ attributes: { maxAge }, expires }: SetCookie, now: number): Date | null {
  if (maxAge === undefined) return expires
  const limit = new Date(now + maxAge * 1000)
  return expires && expires < limit ? expires : limit
}

function attributeText({ domain, path, httpOnly, secure, sameSite }: CookieAttributes): string {
  let text = domain ? `; Domain=${domain}` : ''
  if (path) text += `; Path=${path}`
  if (httpOnly) text += '; HttpOnly'
  if (secure) text += '; Secure'
  if (sameSite) text += `; SameSite=${sameSiteText[sameSite]}`
  return text
}

/** The attributes are those of the configuration, the same for every visitor. */
const written = new WeakMap<CookieAttributes, string>()

/** @throws TypeError where an attribute would end before its text does. */
function toText(name: string, attributes: CookieAttributes): string {
  const known = written.get(attributes)
  if (known !== undefined) return known
  const { path = '', domain = '' } = attributes
  if (!printable.test(path) || !printable.test(domain)) refuse(name, 'expected printable attributes')
  const text = attributeText(attributes)
  written.set(attributes, text)
  return text
}

/** @returns The value of one Set-Cookie header (RFC 6265bis §4.1). */
export function serializeCookie(name: string, cookie: SetCookie, now: number): string {
  const { value, attributes } = cookie
  const expires = endOf(cookie, now)
  assertSendable(name, attributes)
  const text = `${name}=${encodeURIComponent(value)}`
  if (!expires) return text + toText(name, attributes)
  const maxAge = Math.max(0, Math.round((expires.getTime() - now) / 1000))
  return `${text}; Max-Age=${maxAge}; Expires=${expires.toUTCString()}${toText(name, attributes)}`
}

/**
 * Cookies that are cleared go last: curl 7.88 brings one back when another cookie follows its clearing.
 *
 * @returns One header value for each cookie.
 */
export function serializeCookies(cookies: SetCookies, now: number): string[] {
  const isCleared = ({ expires }: SetCookie): boolean => expires !== null && expires.getTime() <= now
  const all = [...cookies]
  const inOrder = [...all.filter(([, cookie]) => !isCleared(cookie)), ...all.filter(([, cookie]) => isCleared(cookie))]
  return inOrder.map(([name, cookie]) => serializeCookie(name, cookie, now))
}
