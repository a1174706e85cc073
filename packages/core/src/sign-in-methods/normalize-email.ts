import { AuthError, type AuthErrorDetails } from '../errors/auth-error.ts'
import { describeKind, UserCodeError } from '../errors/user-code.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { getRateLimitIdentifier } from './normalize-identifier.ts'

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const control = /\p{Cc}/u
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const ascii = /^[\0-\x7f]*$/

/** @returns The domain with its labels as A-labels (UTS #46), or unchanged if it is ASCII or cannot be converted. */
function asciiDomain(domain: string): string {
  // Other ASCII characters would be interpreted by the URL parser.
  const isPlain = [...domain].every((letter) => !ascii.test(letter) || /[a-z0-9.-]/.test(letter))
  const address = `https://${domain}`
  return !ascii.test(domain) && isPlain && URL.canParse(address) ? new URL(address).hostname : domain
}

/**
 * Normalizes an email address to the form that is stored, compared and used.
 *
 * The grammar is strict: a dot-atom, one `@` and a host name with a dot (RFC 5321 §4.1.2). Quotes and comments, which
 * mail servers may interpret differently, are rejected.
 *
 * @param internationalDomains - Whether domains may contain non-ASCII letters; they are checked after conversion.
 * @returns The address, or `null` if it is invalid.
 */
export function normalizeIdentifier(
  text: string,
  { internationalDomains = false }: { readonly internationalDomains?: boolean } = {}
): string | null {
  if (text.length > 320) return null
  // Tabs and line breaks at the ends come with a pasted address.
  const trimmed = text.normalize('NFKC').trim()
  if (control.test(trimmed)) return null
  const [local = '', written = '', ...more] = trimmed.toLowerCase().split('@')
  const domain = internationalDomains ? asciiDomain(written) : written
  const address = `${local}@${domain}`
  if (more.length > 0 || address.length > 254 || local.length > 64) return null
  // An address with a leading dash could be read as a command option; `=?…?=` may be decoded (RFC 2047 §2).
  if (!localPart.test(local) || local.startsWith('-') || local.includes('=?')) return null
  const labels = domain.split('.')
  const isHost = labels.length > 1 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isHost ? address : null
}

/** @returns The address as the application's function normalizes it, or its error. */
function ownIdentifier(id: string, normalize: (text: string) => unknown, text: string): string | UserCodeError {
  const callee = `providers.${id}.normalizeIdentifier`
  try {
    const result = normalize(text)
    if (typeof result === 'string' && result !== '') return result
    // The result must be synchronous; the rejection of a promise is ignored.
    if (result instanceof Promise) result.catch(() => undefined)
    return new UserCodeError(`${callee} returned ${describeKind(result)}, not a string`)
  } catch (cause) {
    return new UserCodeError(`${callee} threw`, { cause })
  }
}

/**
 * The form of an identifier that is rate-limited. An application's own `normalizeIdentifier` may keep the case of an
 * address, but most mail servers deliver all spellings to one mailbox.
 */
export function getRateLimitAddress(identifier: string): string {
  return (
    normalizeIdentifier(identifier, { internationalDomains: true }) ??
    getRateLimitIdentifier(identifier.normalize('NFKC').toLowerCase())
  )
}

/** Normalizes an address for this provider. @throws AuthError `EmailSignin` if it is invalid. */
export function parseIdentifier(provider: EmailProvider, text: string): string {
  const refuse = (details: AuthErrorDetails): never => {
    const message = `${provider.id}: expected a single email address without a display name`
    throw new AuthError('EmailSignin', message, details)
  }
  if (!provider.normalizeIdentifier) return normalizeIdentifier(text, provider) ?? refuse({ reason: 'invalid' })
  const identifier = ownIdentifier(provider.id, provider.normalizeIdentifier, text)
  if (typeof identifier === 'string') return identifier
  // next-auth documents that the function throws to refuse an address.
  const isRefused = identifier.cause !== undefined
  return refuse({ cause: identifier, ...(isRefused ? { reason: 'invalid' } : {}) })
}
