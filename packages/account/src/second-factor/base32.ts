/** RFC 4648 §6 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes without padding, as authenticator apps expect it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)] ?? '').join('')
}

/**
 * Decodes what programs show to users, in any case, with spaces or dashes, with or without padding. Bits that do not fill a byte are
 * dropped, as in authenticator apps.
 *
 * @returns `null` if the text has other characters.
 */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const [, letters] = /^([A-Z2-7]*)=*$/.exec(text.replaceAll(/[\s-]/g, '').toUpperCase()) ?? []
  if (letters === undefined) return null
  const bits = [...letters].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
