/** Characters of a name; nobody's is longer, and a session has to fit into cookies. */
const longestName = 1000
/** Characters of an address (RFC 5321 §4.5.3.1.3). */
const longestAddress = 254

/** What moves the cursor of a terminal or turns a line round: nothing of it belongs to a name (Unicode TR36 §3.2). */
const disguises = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** @returns The name on one line, as far as it is one. */
export function nameOf(value: unknown): string | null {
  return textOrNull(textOrNull(value)?.replaceAll(disguises, ' ').slice(0, longestName).trim())
}

/**
 * @returns The address in lower case, or `null` for what is not one address: a list or a display name would reach
 * somebody else when the application sends a mail.
 */
export function addressOf(value: unknown): string | null {
  const address = textOrNull(value)?.trim().toLowerCase() ?? ''
  return address.length <= longestAddress && /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u.test(address)
    ? address
    : null
}

/** @returns The address of a picture; one that would run as a script or open as a page is none. */
export function pictureOf(value: unknown): string | null {
  const address = textOrNull(value)
  return address && /^(https?:|data:image\/(png|jpe?g|gif|webp|avif)[;,])/i.test(address) ? address : null
}
