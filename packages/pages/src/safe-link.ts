/** The base for relative URLs; it never appears on a page. */
const anywhere = 'https://relative.invalid'

/**
 * Accepts http(s) links, and replaces all others by `/`.
 *
 * The URL parser decides, because browsers parse `java\nscript:` the same way.
 */
export function safeLink(text: string): string {
  if (!URL.canParse(text, anywhere)) return '/'
  const { protocol } = new URL(text, anywhere)
  return protocol === 'https:' || protocol === 'http:' ? text : '/'
}
