/** Only to complete what is relative; its own parts never reach a page. */
const anywhere = 'https://relative.invalid'

/**
 * Lets a link pass that leads to a page of the web, and sends every other one to `/`.
 *
 * The URL parser decides, because a browser reads `java\nscript:` as it does.
 */
export function safeLink(text: string): string {
  if (!URL.canParse(text, anywhere)) return '/'
  const { protocol } = new URL(text, anywhere)
  return protocol === 'https:' || protocol === 'http:' ? text : '/'
}
