/**
 * Canonical base64url: no padding, no whitespace and no other characters (RFC 7515 §2), and no bits after the last byte
 * (RFC 4648 §3.5).
 */
const canonical = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** @returns Whether a text is the only encoding of its bytes; others are the same value with another spelling. */
export function isBase64Url(text: string): boolean {
  return canonical.test(text)
}

/**
 * @returns The bytes of a text in canonical base64url, each as a character.
 * @throws TypeError
 */
export function decodeBase64Url(text: string): string {
  if (!isBase64Url(text)) throw new TypeError('expected canonical base64url')
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
}
