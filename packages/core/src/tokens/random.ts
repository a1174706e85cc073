import type { Runtime } from '../model/runtime.ts'

type Random = Runtime['randomBytes']

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** @returns `size` random bytes in hex. */
export function randomHex(randomBytes: Random, size: number): string {
  let text = ''
  for (const byte of randomBytes(size)) text += hexPairs[byte]
  return text
}

/** @returns A random UUID, of version 4 (RFC 9562 §5.4). */
export function randomUuid(randomBytes: Random): string {
  const hex = randomHex(randomBytes, 16)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

const alphabet64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** @returns The bytes in base64url without padding (RFC 4648 §5). */
export function base64Url(bytes: Uint8Array): string {
  const codes: number[] = []
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held & 63) << 8) | byte
    for (bits += 8; bits >= 6; bits -= 6) codes.push(alphabet64.charCodeAt((held >> (bits - 6)) & 63))
  }
  if (bits > 0) codes.push(alphabet64.charCodeAt((held << (6 - bits)) & 63))
  return String.fromCharCode(...codes)
}

/** @returns `size` random bytes in base64url, as required by PKCE and `state` (RFC 7636 §4.1). */
export function randomBase64Url(randomBytes: Random, size: number): string {
  return base64Url(randomBytes(size))
}

/** @returns `length` letters of `alphabet`, uniformly distributed. */
export function randomLetters(randomBytes: Random, alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length)
  let letters = ''
  while (letters.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && letters.length < length) letters += alphabet.charAt(byte % alphabet.length)
    }
  }
  return letters
}
