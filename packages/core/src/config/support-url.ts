import { normalizeEmailAddress } from '../model/normalize-email-address.ts'

const scheme = 'mailto:'

/** @returns The address of a `mailto:` URL, without its headers; `null` for another URL. */
function getMailAddress(text: string): string | null {
  if (!text.toLowerCase().startsWith(scheme)) return null
  const [address = ''] = text.slice(scheme.length).split('?', 1)
  return address
}

function isPage(text: string): boolean {
  if (/^\/(?![/\\])/.test(text)) return URL.canParse(text, 'https://relative.invalid')
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['https:', 'http:'].includes(protocol) && username === '' && password === ''
}

/** Whether a text is an email address, a `mailto:` URL, a path or an http(s) URL. */
export function isSupportUrl(text: string): boolean {
  return normalizeEmailAddress(getMailAddress(text) ?? text) !== null || isPage(text)
}

/** @returns The URL of the option `theme.links.support`: an email address becomes a `mailto:` URL. */
export function toSupportUrl(text: string): string {
  const isAddress = getMailAddress(text) === null && normalizeEmailAddress(text) !== null
  return isAddress ? scheme + text : text
}
