/** What a signed token says, before its signature was looked at. */
export interface DecodedJws {
  readonly algorithm: string
  /** The media type in the header, in lower case, or `null` for none (RFC 7515 §4.1.9). */
  readonly type: string | null
  readonly claims: Readonly<Record<string, unknown>>
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parsePart(part: string | undefined): Readonly<Record<string, unknown>> {
  const base64 = (part ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  const value: unknown = JSON.parse(utf8.decode(bytes))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('expected a JSON object')
  return { ...value }
}

/** @returns The parts of a compact JWS, or `null` for anything else. */
export function decodeJws(token: string): DecodedJws | null {
  const [header, payload, signature, ...more] = token.split('.')
  if (!signature || more.length > 0) return null
  try {
    const { alg, typ } = parsePart(header)
    const type = typeof typ === 'string' ? typ.toLowerCase() : null
    return { algorithm: typeof alg === 'string' ? alg : '', type, claims: parsePart(payload) }
  } catch {
    return null
  }
}
