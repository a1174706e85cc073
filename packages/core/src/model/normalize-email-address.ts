/**
 * Whether every parser reads a string as this one address: no quotes, comments, lists or line breaks, only ASCII.
 *
 * Mail libraries and services may read other strings as several recipients, or as a different address.
 */
export function isPlainEmailAddress(text: string): boolean {
  return /^[\w!#$%&'*+/=?^`{|}~.-]+@[A-Za-z0-9.-]+$/.test(text)
}

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Control characters, and those that are not shown, which UTS #46 would remove from a domain. */
const control = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Most addresses, which are in their normal form: with at most 64 characters, no part is too long. */
const usual = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/

const ascii = /^[\0-\x7f]*$/

/** @returns The domain with its labels as A-labels (UTS #46), or unchanged if it is ASCII or cannot be converted. */
function asciiDomain(domain: string): string {
  if (ascii.test(domain)) return domain
  // Other ASCII characters would be interpreted by the URL parser.
  const isPlain = [...domain].every((letter) => !ascii.test(letter) || /[a-z0-9.-]/.test(letter))
  const address = `https://${domain}`
  return isPlain && URL.canParse(address) ? new URL(address).hostname : domain
}

/**
 * Normalizes an email address to the form that is stored, compared and used.
 *
 * The grammar is strict: a dot-atom, one `@` and a host name with a dot (RFC 5321 §4.1.2). Quotes and comments, which
 * mail servers may interpret differently, are rejected. A domain with other letters is checked, stored and used as A-labels;
 * other letters before the `@` need SMTPUTF8 (RFC 6531) on every hop, and are rejected.
 *
 * @returns The address, or `null` if it is invalid.
 */
export function normalizeEmailAddress(text: string): string | null {
  if (text.length <= 64 && usual.test(text)) return text
  if (text.length > 320) return null
  // Tabs and line breaks at the ends come with a pasted address.
  const trimmed = text.normalize('NFKC').trim()
  if (control.test(trimmed)) return null
  const [local = '', written = '', ...more] = trimmed.toLowerCase().split('@')
  const domain = asciiDomain(written)
  const address = `${local}@${domain}`
  if (more.length > 0 || address.length > 254 || local.length > 64) return null
  // An address with a leading dash could be read as a command option; `=?…?=` may be decoded (RFC 2047 §2).
  if (!localPart.test(local) || local.startsWith('-') || local.includes('=?')) return null
  const labels = domain.split('.')
  const isHost = labels.length > 1 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isHost ? address : null
}

/** @returns Whether only letters outside ASCII before the `@` make an address invalid. */
export function hasInternationalLocalPart(text: string): boolean {
  const [local = '', ...domain] = text.normalize('NFKC').trim().split('@')
  const plain = local.replaceAll(/[\p{L}\p{M}\p{N}]/gu, 'a')
  return !ascii.test(local) && normalizeEmailAddress([plain, ...domain].join('@')) !== null
}
