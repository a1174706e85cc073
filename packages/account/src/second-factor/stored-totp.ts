import { AuthError, type Factor, type FactorKey, type FeatureContext, type FeatureWrite } from '@postern/core/feature'
import { toNewFactor } from '../new-factor.ts'
import { type Attempt, addAttempt, getAllowance, requireNoDelay } from './limits.ts'
import { defaultFormat, findStep, type TotpFormat, type TotpSecret } from './totp.ts'

/** The type of the factors that are TOTP secrets. Every user has at most one: its id is that of the user. */
export const totpType = 'factors-totp'

export const totpKey = (userId: string): FactorKey => ({ type: totpType, id: userId })

/** The encrypted data of the factor. The format is there if it is not the one of keys that Postern creates. */
export interface TotpData extends Partial<TotpFormat> {
  /** In base64url. */
  readonly secret: string
  /** The newest step whose code was used: neither it nor an earlier one is accepted again. */
  readonly lastStep: number
  readonly attempts: readonly Attempt[]
}

export function parseTotp({ data }: Factor): TotpData {
  const parsed: TotpData = JSON.parse(data)
  return parsed
}

/** Bytes of a secret. @see RFC 4226 §4, R6 */
const secretLength = 20

export function createSecret(randomBytes: FeatureContext['randomBytes']): string {
  return Buffer.from(randomBytes(secretLength)).toString('base64url')
}

/** Reads the key, and how its codes are computed. */
export function toSecret({ secret, digits, period }: Pick<TotpData, 'secret' | keyof TotpFormat>): TotpSecret {
  return {
    bytes: new Uint8Array(Buffer.from(secret, 'base64url')),
    digits: digits ?? defaultFormat.digits,
    period: period ?? defaultFormat.period
  }
}

/** The data of a new factor. @param lastStep - The step of the code that confirmed it. */
export function createTotpData(secret: string, lastStep: number, format: Partial<TotpFormat> = {}): string {
  const data: TotpData = { secret, ...format, lastStep, attempts: [] }
  return JSON.stringify(data)
}

/** The write of a new app. It fails if the user has one. */
export const toTotpWrite = (userId: string, data: string, context: FeatureContext): FeatureWrite => ({
  method: 'createFactor',
  args: [toNewFactor(totpKey(userId), userId, data, context)]
})

/** A typed code. */
export interface TypedCode {
  readonly code: string
  /** The browser, if the user has signed in with it before. */
  readonly device: string | null
  /** Whether another proof than the first factor comes with it, such as a mailed code: it may have three more failures. */
  readonly hasOtherProof: boolean
}

/** `exhausted`: the code was not compared, because it needs another proof. `gone`: the user has no TOTP secret. */
export type TotpOutcome = 'right' | 'wrong' | 'exhausted' | 'gone'

/** Updates of one row that may fail because of each other. */
const maxUpdates = 200

/**
 * Changes the data of the factor, with the expected version.
 *
 * @param change - Returns the new data; `null` to leave it.
 * @returns The data that was written; `null` if it was left, or there is no factor.
 * @throws AuthError `StoreUnavailable` if other requests changed it each time.
 */
async function update(
  userId: string,
  change: (data: TotpData) => TotpData | null,
  { factors, now }: FeatureContext,
  isUse: boolean
): Promise<TotpData | null> {
  for (let count = 0; count < maxUpdates; count++) {
    const factor = await factors.get(totpKey(userId))
    const changed = factor && change(parseTotp(factor))
    if (!factor || !changed) return null
    const lastUsedAt = isUse ? new Date(now()) : factor.lastUsedAt
    if (await factors.update({ ...factor, data: JSON.stringify(changed), lastUsedAt }, factor.version)) return changed
  }
  throw new AuthError('StoreUnavailable', 'factors: the TOTP secret was changed by too many requests at once')
}

/** Counts the attempt before its code is compared, so that parallel guesses count too. */
async function countAttempt(
  userId: string,
  { code, device, hasOtherProof }: TypedCode,
  setup: FeatureContext
): Promise<{ readonly attempt: Attempt; readonly data: TotpData } | Exclude<TotpOutcome, 'right'>> {
  let outcome: Exclude<TotpOutcome, 'right'> = 'gone'
  const now = setup.now()
  const id = Buffer.from(setup.randomBytes(6)).toString('base64url')
  const attempt = { id, time: Math.floor(now / 1000), device }
  const data = await update(
    userId,
    (known) => {
      // A slip of the keyboard is no guess.
      if (code.length !== toSecret(known).digits) {
        outcome = 'wrong'
        return null
      }
      requireNoDelay(known.attempts, device, now)
      const allowance = getAllowance(known.attempts, now)
      if (allowance === 'never' || (allowance === 'mailed' && !hasOtherProof)) {
        outcome = 'exhausted'
        return null
      }
      return { ...known, attempts: addAttempt(known.attempts, attempt) }
    },
    setup,
    false
  )
  return data ? { attempt, data } : outcome
}

/**
 * Verifies a code, and uses up its step: of several requests with one code, one gets `right`.
 *
 * @throws AuthError `RateLimited` after many failures, `StoreUnavailable`, also if the key of the secret is missing
 */
export async function verifyTotp(userId: string, typed: TypedCode, setup: FeatureContext): Promise<TotpOutcome> {
  const counted = await countAttempt(userId, typed, setup)
  if (typeof counted === 'string') return counted
  const { attempt, data } = counted
  const step = await findStep(toSecret(data), typed.code, setup.now())
  if (step === null) return 'wrong'
  const used = await update(
    userId,
    // The secret may have been replaced since.
    (known) =>
      known.secret !== data.secret || known.lastStep >= step
        ? null
        : { ...known, lastStep: step, attempts: known.attempts.filter(({ id }) => id !== attempt.id) },
    setup,
    true
  )
  return used ? 'right' : 'wrong'
}
