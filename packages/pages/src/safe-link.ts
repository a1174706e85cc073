/** The base for relative URLs; it never appears on a page. */
const anywhere = 'https://relative.invalid'

/** Most links: a path of the application. */
const plainPath = /^\/(?:[\w-]|$)/

const getProtocol = (text: string): string | null =>
  URL.canParse(text, anywhere) ? new URL(text, anywhere).protocol : null

/**
 * Accepts http(s) links, and replaces all others by `/`.
 *
 * The URL parser decides, because browsers parse `java\nscript:` the same way.
 */
export function safeLink(text: string): string {
  if (plainPath.test(text)) return text
  const protocol = getProtocol(text)
  return protocol === 'https:' || protocol === 'http:' ? text : '/'
}

/** Accepts email addresses too. @returns `null` for any other link. */
export function safeContactLink(text: string): string | null {
  const isMail = getProtocol(text) === 'mailto:'
  return text !== '' && (isMail || safeLink(text) === text) ? text : null
}
