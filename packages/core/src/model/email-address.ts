/**
 * Whether every parser reads a string as this one address: no quotes, comments, lists or line breaks, only ASCII.
 *
 * Mail libraries and services may read other strings as several recipients, or as a different address.
 */
export function isPlainEmailAddress(text: string): boolean {
  return /^[\w!#$%&'*+/=?^`{|}~.-]+@[A-Za-z0-9.-]+$/.test(text)
}
