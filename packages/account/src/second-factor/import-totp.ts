import { AccountError } from '@postern/core/feature'
import { fromBase32 } from './base32.ts'
import { record } from './notices.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { createTotpData, totpKey } from './stored-totp.ts'
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
 * Stores the key of an authenticator app that another program has created.
 *
 * @throws TypeError if the key is invalid; AccountError `UNKNOWN_USER`, `FACTOR_EXISTS`; AuthError `StoreUnavailable`
 */
export async function importTotp(userId: string, imported: ImportedTotp, deps: SecondFactorDeps): Promise<void> {
  const { factors, now, users } = deps.context
  const secret = Buffer.from(readSecret(imported.secret)).toString('base64url')
  const format = readFormat(imported)
  if (!(await users.getUser(userId)))
    throw new AccountError('UNKNOWN_USER', 'factors.importTotp: there is no user with this id')
  const key = totpKey(userId)
  const refuseSecond = async (cause?: unknown): Promise<void> => {
    if (await factors.get(key))
      throw new AccountError('FACTOR_EXISTS', 'factors.importTotp: the user has an authenticator app', cause)
  }
  await refuseSecond()
  const about = { userId, name: null, lastUsedAt: null, version: 0, createdAt: new Date(now()) }
  try {
    await factors.create({ ...key, ...about, data: createTotpData(secret, 0, format) })
  } catch (error) {
    // Of two calls at once, one creates it.
    await refuseSecond(error)
    throw error
  }
  await record('factor-imported', { userId, request: null, data: 'totp' }, deps)
}
