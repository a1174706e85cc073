import type { CookieAttributes, SetCookie, SetCookies } from '../model/cookie.ts'

const token = /^[\w!#$%&'*.^`|~+-]+$/
/** Characters that `encodeURIComponent` keeps. */
const plain = /^[\w.!~*'()-]*$/
const printable = /^[\x20-\x3a\x3c-\x7e]*$/

function refuse(name: string, expectation: string): never {
  throw new TypeError(`cookie ${JSON.stringify(name)}: ${expectation}`)
}

/** Rejects cookies that a browser would drop or misread: attributes in the name, and violations of a name prefix. */
function assertSendable(name: string, { path, domain, secure, sameSite }: SetCookie['attributes']): void {
  if (!token.test(name)) refuse(name, 'expected a name of token characters (RFC 6265bis §4.1.1)')
  if (name.startsWith('__Secure-') && !secure) refuse(name, 'the prefix __Secure- needs Secure')
  if (name.startsWith('__Host-') && (!secure || path !== '/' || domain)) {
    refuse(name, 'the prefix __Host- needs Secure, Path=/ and no Domain')
  }
  if (sameSite === 'none' && !secure) refuse(name, 'SameSite=None needs Secure')
}

const sameSiteText = { lax: 'Lax', strict: 'Strict', none: 'None' } as const

/** The expiry of the cookie, limited by the `maxAge` of its attributes. */
function getExpires({ attributes: { maxAge }, expires }: SetCookie, now: number): Date | null {
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

/** Names and attributes come from the configuration and are the same for every request. */
const written = new WeakMap<CookieAttributes, Map<string, string>>()

/** @throws TypeError if a browser would drop the cookie, or the value of an attribute would end early. */
function toText(name: string, attributes: CookieAttributes): string {
  const texts = written.get(attributes) ?? new Map<string, string>()
  const known = texts.get(name)
  if (known !== undefined) return known
  assertSendable(name, attributes)
  const { path = '', domain = '' } = attributes
  if (!printable.test(path) || !printable.test(domain)) refuse(name, 'expected printable attributes')
  const text = attributeText(attributes)
  written.set(attributes, texts.set(name, text))
  return text
}

const dates = new Map<number, string>()

/**
 * Few distinct dates occur within one second: the expiry of sessions, of sign-in attempts, and the epoch. They are
 * cached.
 */
function dateText(date: Date): string {
  const second = Math.floor(date.getTime() / 1000)
  const known = dates.get(second)
  if (known !== undefined) return known
  const text = date.toUTCString()
  if (dates.size >= 20) dates.clear()
  dates.set(second, text)
  return text
}

/** @returns The value of one Set-Cookie header (RFC 6265bis §4.1). */
export function serializeCookie(name: string, cookie: SetCookie, now: number): string {
  const { value, attributes } = cookie
  const expires = getExpires(cookie, now)
  const rest = toText(name, attributes)
  const text = `${name}=${plain.test(value) ? value : encodeURIComponent(value)}`
  if (!expires) return text + rest
  const maxAge = Math.max(0, Math.round((expires.getTime() - now) / 1000))
  return `${text}; Max-Age=${maxAge}; Expires=${dateText(expires)}${rest}`
}

/**
 * Serializes cookies, cleared ones last: curl 7.88 restores a cleared cookie if another cookie follows it.
 *
 * @returns One header value per cookie.
 */
export function serializeCookies(cookies: SetCookies, now: number): string[] {
  const kept: string[] = []
  const cleared: string[] = []
  for (const [name, cookie] of cookies) {
    const isCleared = cookie.expires !== null && cookie.expires.getTime() <= now
    const texts = isCleared ? cleared : kept
    texts.push(serializeCookie(name, cookie, now))
  }
  return cleared.length === 0 ? kept : kept.concat(cleared)
}
