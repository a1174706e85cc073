/** NUL, which PostgreSQL has not in any text, or a lone surrogate, which UTF-8 cannot encode (RFC 3629 §3). */
const unstorable = /[\p{Surrogate}\0]/u

/** Returns whether every store returns the text unchanged. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text)
}

/** @returns The text, with U+FFFD for each character that some stores cannot keep. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.replaceAll(/[\p{Surrogate}\0]/gu, '\ufffd')
}
