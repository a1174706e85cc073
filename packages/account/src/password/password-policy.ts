import type { Logger } from '@postern/core/feature'
import type { BreachedCheck } from './have-i-been-pwned.ts'

/** Why a password is refused: the key of its text. */
export type PasswordProblem = 'characters' | 'tooShort' | 'tooLong' | 'tooCommon' | 'isAddress' | 'breached'

/** What new passwords must meet. */
export interface PasswordPolicy {
  readonly minLength: number
  readonly breached: BreachedCheck | null
}

/** What a password must differ from. */
export interface PasswordContext {
  readonly email: string
  /** `https://app.example.com` */
  readonly origin: string
  readonly siteName: string
  readonly logger: Logger
}

/** In characters, after normalization. */
export const maxLength = 256

/** Normalization can make a text longer, and takes time. */
const maxTypedLength = 4 * maxLength

/** NFKC, so that every keyboard types the same password. @returns The reason if the text cannot be a password. */
export function normalizePassword(
  typed: string
): { readonly password: string } | { readonly problem: 'characters' | 'tooLong' } {
  if (typed.length > maxTypedLength) return { problem: 'tooLong' }
  // A lone surrogate would be encoded as any other, and programs that end texts at NUL would ignore the rest.
  if (/[\0\p{Cs}]/u.test(typed)) return { problem: 'characters' }
  const password = typed.normalize('NFKC')
  return countCharacters(password) > maxLength ? { problem: 'tooLong' } : { password }
}

const countCharacters = (text: string): number => [...text].length

/** @returns The names of the site, which must not be a password. */
function siteNames(origin: string, siteName: string): readonly string[] {
  const { host, hostname } = new URL(origin)
  return [origin, host, hostname, ...hostname.split('.'), siteName]
}

/** Without the differences that nobody remembers. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '')

/** Whether a new password is refused. @returns Why; `null` if it is accepted. */
export async function checkNewPassword(
  password: string,
  { minLength, breached }: PasswordPolicy,
  { email, origin, siteName, logger }: PasswordContext
): Promise<PasswordProblem | null> {
  if (countCharacters(password) < minLength) return 'tooShort'
  const own = [email, email.split('@', 1)[0], ...siteNames(origin, siteName)]
  if (own.some((name = '') => fold(name) === fold(password))) return 'isAddress'
  const { isCommonPassword } = await import('./is-common-password.ts')
  if (isCommonPassword(password)) return 'tooCommon'
  try {
    return (await breached?.(password)) ? 'breached' : null
  } catch (error) {
    // Nobody must be unable to sign up because another service is down.
    const message = error instanceof Error ? error.message : 'unknown error'
    logger.warn('PASSWORD_BREACH_CHECK_FAILED', { message })
    return null
  }
}
