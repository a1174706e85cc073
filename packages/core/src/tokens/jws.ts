import { decodeJwt, decodeProtectedHeader } from 'jose'

/** What a signed token says, before its signature was looked at. */
export interface DecodedJws {
  readonly algorithm: string
  /** The media type in the header, in lower case, or `null` for none (RFC 7515 §4.1.9). */
  readonly type: string | null
  readonly claims: Readonly<Record<string, unknown>>
}

/** @returns The parts of a compact JWS, or `null` for anything else. */
export function decodeJws(token: string): DecodedJws | null {
  try {
    const { alg = '', typ } = decodeProtectedHeader(token)
    return { algorithm: alg, type: typ?.toLowerCase() ?? null, claims: decodeJwt(token) }
  } catch {
    return null
  }
}
