import { AuthError } from '../errors/auth-error.ts'
import { ForeignError, kindOf } from '../errors/user-code.ts'
import type { EmailProvider } from '../model/email-provider.ts'

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const control = /\p{Cc}/u
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const ascii = /^[\0-\x7f]*$/

/** @returns The domain with its labels as A-labels (UTS #46), or as it is where it is ASCII or cannot be converted. */
function asciiDomain(domain: string): string {
  // What an address of the web may hold besides letters must not be decoded on the way.
  const isPlain = [...domain].every((letter) => !ascii.test(letter) || /[a-z0-9.-]/.test(letter))
  const address = `https://${domain}`
  return !ascii.test(domain) && isPlain && URL.canParse(address) ? new URL(address).hostname : domain
}

/**
 * The one form of an address that we store, compare and send to.
 *
 * The grammar is strict on purpose: a dot-atom, one `@` and a host name with a dot (RFC 5321 §4.1.2). What a mail
 * server could read in another way, quotes and comments above all, is no address here.
 *
 * @param internationalDomains - Whether a domain may be written in other letters than ASCII; checked once converted.
 * @returns The address, or `null` for anything else.
 */
export function normalizeIdentifier(
  text: string,
  { internationalDomains = false }: { readonly internationalDomains?: boolean } = {}
): string | null {
  if (text.length > 320 || control.test(text)) return null
  const [local = '', written = '', ...more] = text.normalize('NFKC').trim().toLowerCase().split('@')
  const domain = internationalDomains ? asciiDomain(written) : written
  const address = `${local}@${domain}`
  if (more.length > 0 || address.length > 254 || local.length > 64) return null
  // An address that begins with a dash reads like an option of a command; `=?…?=` may be decoded (RFC 2047 §2).
  if (!localPart.test(local) || local.startsWith('-') || local.includes('=?')) return null
  const labels = domain.split('.')
  const isHost = labels.length > 1 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isHost ? address : null
}

/** @returns What the application makes of the address, or why it is none. */
function ownIdentifier(id: string, normalize: (text: string) => unknown, text: string): string | ForeignError {
  const callee = `providers.${id}.normalizeIdentifier`
  try {
    const answer = normalize(text)
    if (typeof answer === 'string' && answer !== '') return answer
    // An address is needed at once; what a promise comes to is nobody's concern any more.
    if (answer instanceof Promise) answer.catch(() => undefined)
    return new ForeignError(`${callee} returned ${kindOf(answer)}, not a text`)
  } catch (cause) {
    return new ForeignError(`${callee} threw`, { cause })
  }
}

/** The address as this provider counts it. @throws AuthError `EmailSignin` for what is no address. */
export function identifierOf(provider: EmailProvider, text: string): string {
  const refuse = (cause?: unknown): never => {
    throw new AuthError('EmailSignin', `${provider.id}: expected one e-mail address of the plain form`, { cause })
  }
  if (!provider.normalizeIdentifier) return normalizeIdentifier(text, provider) ?? refuse()
  const identifier = ownIdentifier(provider.id, provider.normalizeIdentifier, text)
  return typeof identifier === 'string' ? identifier : refuse(identifier)
}
