import { AccountError } from '@postern/core/feature'
import { fromBase32 } from './base32.ts'
import { toEventWrite } from './notices.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import { createTotpData, toTotpWrite, totpType } from './stored-totp.ts'
import { defaultFormat, type TotpFormat } from './totp.ts'

/** The key of an authenticator app that another program has created, for HMAC-SHA-1. */
export interface ImportedTotp extends Partial<TotpFormat> {
  /** 10 to 128 bytes: themselves, or in Base32, as authenticator apps read it. */
  readonly secret: string | Uint8Array
}

/** Bytes: RFC 4226 requires 16, but older programs created 10. */
const minLength = 10
const maxLength = 128

const isIn = (value: number, [min, max]: readonly [number, number]): boolean =>
  Number.isInteger(value) && value >= min && value <= max

const refuse = (name: string, expected: string): never => {
  throw new TypeError(`factors.importTotp: ${name}: expected ${expected}`)
}

function readSecret(secret: ImportedTotp['secret']): Uint8Array {
  const bytes = typeof secret === 'string' ? fromBase32(secret) : secret
  // The message must not contain the secret.
  if (!(bytes instanceof Uint8Array)) return refuse('secret', 'bytes, or text in Base32 (A to Z, 2 to 7)')
  if (!isIn(bytes.length, [minLength, maxLength]))
    return refuse('secret', `${minLength} to ${maxLength} bytes, got ${bytes.length}`)
  return bytes
}

function readFormat({ digits = defaultFormat.digits, period = defaultFormat.period }: ImportedTotp): TotpFormat {
  if (!isIn(digits, [6, 8])) return refuse('digits', `6 to 8, got ${digits}`)
  if (!isIn(period, [15, 60])) return refuse('period', `15 to 60 seconds, got ${period}`)
  return { digits, period }
}

/**
 * Stores the key of an authenticator app that another program has created. Sessions stay.
 *
 * @throws TypeError if the key is invalid; AccountError `UNKNOWN_USER`, `FACTOR_EXISTS`; AuthError `StoreUnavailable`
 */
export async function importTotp(userId: string, imported: ImportedTotp, setup: SecondFactorSetup): Promise<void> {
  const { context } = setup
  const secret = Buffer.from(readSecret(imported.secret)).toString('base64url')
  const data = createTotpData(secret, 0, readFormat(imported))
  const outcome = await context.changeAccess(userId, async ({ user }) => {
    if (!user) return 'unknown'
    const factors = await context.factors.list(userId)
    if (factors.some(({ type }) => type === totpType)) return 'exists'
    const event = toEventWrite('factor-imported', { userId, request: null, data: 'totp' }, setup)
    // The other program has asked for it: no session is below the level of the account.
    return { ends: 'nothing', writes: [toTotpWrite(userId, data, context), event] }
  })
  if (outcome === 'unknown') throw new AccountError('UNKNOWN_USER', 'factors.importTotp: there is no user with this id')
  if (outcome !== 'changed')
    throw new AccountError('FACTOR_EXISTS', 'factors.importTotp: the user has an authenticator app')
}
