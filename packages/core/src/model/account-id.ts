/** Half a character (a lone surrogate), and NUL. */
const unkept = /[\p{Surrogate}\0]/u

/**
 * The id of a person at a provider as a text: numbers as they are written.
 *
 * @returns `null` for what is none: an empty text, one with half a character, of which databases make the same sign
 * whichever half it is, so that two people would be one, or one with NUL, which some databases cannot keep.
 */
export function accountIdOf(id: unknown): string | null {
  if (typeof id === 'number') return Number.isFinite(id) ? String(id) : null
  return typeof id === 'string' && id !== '' && !unkept.test(id) ? id : null
}
