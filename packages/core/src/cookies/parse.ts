import type { RequestCookies } from '../model/cookie.ts'

const none: RequestCookies = new Map()

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** How many cookies with one name are kept. */
const maxValues = 3

/** The key of a further cookie with this name; no name of a cookie contains a semicolon. */
const furtherKey = (name: string, position: number): string => `${name};${position}`

/** The keys of the second cookie by name, for the names that Postern reads: a key that is there already has its hash. */
const secondKeys = new Map<string, string>()

function getSecondKey(name: string): string {
  const known = secondKeys.get(name)
  if (known !== undefined) return known
  const key = furtherKey(name, 2)
  secondKeys.set(name, key)
  return key
}

/**
 * @param name - One of the names of Postern's cookies: it is kept.
 * @returns The values of the cookies with this name, in the order of the request, three at most.
 */
export function getCookieValues(cookies: RequestCookies, name: string): string[] {
  const first = cookies.get(name)
  if (first === undefined) return []
  const second = cookies.get(getSecondKey(name))
  if (second === undefined) return [first]
  const third = cookies.get(furtherKey(name, maxValues))
  return third === undefined ? [first, second] : [first, second, third]
}

/** Replaces the values of the cookies with this name. */
export function setCookieValues(cookies: Map<string, string>, name: string, values: readonly string[]): void {
  for (let position = 1; position <= maxValues; position++) {
    const key = position === 1 ? name : furtherKey(name, position)
    const value = values[position - 1]
    if (value === undefined) cookies.delete(key)
    else cookies.set(key, value)
  }
}

/** @returns The key of the next cookie with this name, or `null` if as many are kept as are allowed. */
function nextKey(cookies: RequestCookies, name: string): string | null {
  if (!cookies.has(name)) return name
  for (let position = 2; position <= maxValues; position++) {
    const key = furtherKey(name, position)
    if (!cookies.has(key)) return key
  }
  return null
}

/**
 * Parses a Cookie header (RFC 6265bis §5.8.3).
 *
 * If a name occurs several times, the first cookie counts: browsers send the most specific path first, and a cookie
 * planted by a sibling domain precedes an equal one only if it is older. The others are kept for session cookies
 * ({@link getCookieValues}): after a change of `domain` or `path`, browsers send an older cookie first, whose session has ended.
 */
export function parseCookies(header: string | undefined | null): RequestCookies {
  if (!header) return none
  const cookies = new Map<string, string>()
  for (let start = 0, equals = -1; start < header.length; ) {
    const semicolon = header.indexOf(';', start)
    const end = semicolon < 0 ? header.length : semicolon
    // The next equals sign is searched once, however many parts have none.
    if (equals < start) equals = header.indexOf('=', start)
    if (equals < 0) break
    if (equals < end) {
      const name = header.slice(start, equals).trim()
      const key = name ? nextKey(cookies, name) : null
      if (key !== null) {
        const value = header.slice(equals + 1, end).trim()
        cookies.set(key, decoded(value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value))
      }
    }
    start = end + 1
  }
  return cookies
}
