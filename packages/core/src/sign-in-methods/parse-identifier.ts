import { AuthError, type AuthErrorDetails } from '../errors/auth-error.ts'
import { isRefusal } from '../errors/refusal.ts'
import { describeKind, UserCodeError } from '../errors/user-code.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { hasInternationalLocalPart, normalizeEmailAddress } from '../model/normalize-email-address.ts'

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

/** Normalizes an address for this provider. @throws AuthError `EmailSignin` if it is invalid. */
export function parseIdentifier(provider: EmailProvider, text: string): string {
  const refuse = (details: AuthErrorDetails, expected = 'a single email address without a display name'): never => {
    throw new AuthError('EmailSignin', `${provider.id}: expected ${expected}`, details)
  }
  if (!provider.normalizeIdentifier) {
    const address = normalizeEmailAddress(text)
    if (address !== null) return address
    return hasInternationalLocalPart(text)
      ? refuse({ reason: 'non-ascii' }, 'only ASCII before the @ of an email address')
      : refuse({ reason: 'invalid' })
  }
  const identifier = ownIdentifier(provider.id, provider.normalizeIdentifier, text)
  if (typeof identifier === 'string') return identifier
  // next-auth documents that the function throws to refuse an address. Any other failure is no fault of the address.
  return refuse({ cause: identifier, ...(isRefusal(identifier.cause) ? { reason: 'invalid' } : {}) })
}
