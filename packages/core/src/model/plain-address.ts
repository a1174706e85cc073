/**
 * Whether every parser reads a text as this one address: no quotes, comments, lists or line breaks, nothing beyond ASCII.
 *
 * Of other texts mail libraries and services make several recipients, or another one than was meant.
 */
export function isPlainAddress(text: string): boolean {
  return /^[\w!#$%&'*+/=?^`{|}~.-]+@[A-Za-z0-9.-]+$/.test(text)
}
