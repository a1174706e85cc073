import { decodeBase64Url, isBase64Url } from '../model/base64url.ts'
import { parseExactJson } from '../model/exact-json.ts'
import { isJsonObject } from '../model/json-object.ts'

/** The contents of a signed JWT whose signature is not verified. */
export interface DecodedJws {
  readonly algorithm: string
  /** The media type in the header, in lower case, or `null` if there is none (RFC 7515 §4.1.9). */
  readonly type: string | null
  /** Numbers beyond 2^53 are strings. */
  readonly claims: Readonly<Record<string, unknown>>
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const ascii = /^\p{ASCII}*$/u

function decodeText(binary: string): string {
  // ASCII needs no conversion to bytes.
  return ascii.test(binary) ? binary : utf8.decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)))
}

function parsePart(part: string | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = parseExactJson(decodeText(decodeBase64Url(part ?? '')))
  if (!isJsonObject(value)) throw new TypeError('expected a JSON object')
  return value
}

/** @returns The parts of a compact JWS, or `null` if it is malformed, or a part is not in canonical base64url (RFC 7515 §2). */
export function decodeJws(token: string): DecodedJws | null {
  const [header, payload, signature, ...more] = token.split('.', 4)
  if (!signature || more.length > 0 || !isBase64Url(signature)) return null
  try {
    const { alg, typ } = parsePart(header)
    const type = typeof typ === 'string' ? typ.toLowerCase() : null
    return { algorithm: typeof alg === 'string' ? alg : '', type, claims: parsePart(payload) }
  } catch {
    return null
  }
}
