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

/**
 * Parses a Cookie header (RFC 6265bis §5.8.3).
 *
 * If a name occurs several times, the first cookie counts: browsers send the most specific path first, and a cookie
 * planted by a sibling domain precedes an equal one only if it is older.
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
      if (name && !cookies.has(name)) {
        const value = header.slice(equals + 1, end).trim()
        cookies.set(name, decoded(value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value))
      }
    }
    start = end + 1
  }
  return cookies
}
