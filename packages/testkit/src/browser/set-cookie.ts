/** A parsed `Set-Cookie` header. `null` means that the attribute is missing. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly domain: string | null
  readonly path: string | null
  /** Seconds. */
  readonly maxAge: number | null
  readonly expires: Date | null
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: 'Strict' | 'Lax' | 'None' | null
  /** The header as it was sent. */
  readonly text: string
}

const sameSites = ['Strict', 'Lax', 'None'] as const

/**
 * Parses a `Set-Cookie` header.
 *
 * It is stricter than a browser: a defect that a browser would ignore silently throws.
 *
 * @see RFC 6265bis §5.6
 */
export function parseSetCookie(text: string): SetCookie {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)) throw violation(text, 'has control characters')
  const [pair = '', ...rest] = text.split(';')
  const { name, value } = readPair(pair)
  if (!name || value === null) throw violation(text, 'has no name')
  if (name.length + value.length > 4096) throw violation(text, 'is longer than 4096 characters')
  const attributes = new Map(rest.map(readPair).map(({ name, value }) => [name.toLowerCase(), value]))
  return {
    name,
    value,
    domain: attributes.get('domain')?.replace(/^\./, '').toLowerCase() || null,
    path: attributes.get('path') ?? null,
    maxAge: readMaxAge(text, attributes.get('max-age') ?? null),
    expires: readExpires(text, attributes.get('expires') ?? null),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    sameSite: readSameSite(text, attributes.get('samesite') ?? null),
    text
  }
}

/** An error for a cookie that a browser would reject. It does not contain the cookie's value. */
export function violation(text: string, complaint: string): Error {
  return new Error(`browser: the cookie "${text.replace(/=[^;]*/, '=…')}" ${complaint}`)
}

function readPair(pair: string): { readonly name: string; readonly value: string | null } {
  const equals = pair.indexOf('=')
  if (equals < 0) return { name: pair.trim(), value: null }
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() }
}

function readMaxAge(text: string, value: string | null): number | null {
  if (value === null) return null
  if (!/^-?\d+$/.test(value)) throw violation(text, `has Max-Age=${value}, expected whole seconds`)
  return Number(value)
}

function readExpires(text: string, value: string | null): Date | null {
  if (value === null) return null
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) throw violation(text, `has Expires=${value}, expected a date`)
  return date
}

function readSameSite(text: string, value: string | null): SetCookie['sameSite'] {
  if (value === null) return null
  const match = sameSites.find((site) => site.toLowerCase() === value.toLowerCase())
  if (!match) throw violation(text, `has SameSite=${value}, expected ${sameSites.join(', ')}`)
  return match
}
