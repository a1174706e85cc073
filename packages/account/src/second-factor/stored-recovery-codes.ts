import { AuthError, type Factor, type FactorKey, type FeatureWrite } from '@postern/core/feature'
import { toNewFactor } from '../new-factor.ts'
import type { HashClient } from '../password/hash-queue.ts'
import { createRecoveryCodes, formatRecoveryCode, getIndex } from './recovery-codes.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'

/** The type of the factors that are the recovery codes of a user. Their id is that of the user. */
export const recoveryCodesType = 'factors-recovery-codes'

export const recoveryCodesKey = (userId: string): FactorKey => ({ type: recoveryCodesType, id: userId })

/** The encrypted data of the factor. */
export interface RecoveryCodesData {
  /** Identifies the codes that were created together. */
  readonly set: string
  /** The codes that are left: a salted hash of a slow function, and the beginning that finds it. */
  readonly codes: readonly { readonly index: string; readonly hash: string }[]
}

export function parseRecoveryCodes({ data }: Pick<Factor, 'data'>): RecoveryCodesData {
  const parsed: RecoveryCodesData = JSON.parse(data)
  return parsed
}

/** New codes as they are shown, and the data that verifies them. */
interface NewRecoveryCodes {
  readonly codes: readonly string[]
  readonly data: string
}

/** Creates and hashes codes; one hash after another, because sign-ins use the same threads. */
export async function createHashedCodes(
  client: HashClient,
  { context, getHasher }: SecondFactorSetup
): Promise<NewRecoveryCodes> {
  const codes = createRecoveryCodes(context.randomBytes)
  const hasher = await getHasher()
  const hashed: RecoveryCodesData['codes'][number][] = []
  for (const code of codes) hashed.push({ index: getIndex(code), hash: await hasher.hash(code, client) })
  const data: RecoveryCodesData = { set: Buffer.from(context.randomBytes(9)).toString('base64url'), codes: hashed }
  return { codes: codes.map(formatRecoveryCode), data: JSON.stringify(data) }
}

/** The write of the codes of a user in place of earlier ones. It fails if those have changed. @param known - The earlier ones. */
export function toRecoveryCodesWrite(
  userId: string,
  data: string,
  known: Factor | null,
  { context }: SecondFactorSetup
): FeatureWrite {
  if (known) return { method: 'updateFactor', args: [{ ...known, data, lastUsedAt: null }, known.version] }
  return { method: 'createFactor', args: [toNewFactor(recoveryCodesKey(userId), userId, data, context)] }
}

/** Updates of one row that may fail because of each other. */
const maxUpdates = 200

/** Removes a code. @returns How many are left; `null` if another request has removed it. */
async function removeCode(
  userId: string,
  hash: string,
  { context: { factors, now } }: SecondFactorSetup
): Promise<number | null> {
  for (let count = 0; count < maxUpdates; count++) {
    const factor = await factors.get(recoveryCodesKey(userId))
    const known = factor && parseRecoveryCodes(factor)
    if (!factor || !known?.codes.some((code) => code.hash === hash)) return null
    const codes = known.codes.filter((code) => code.hash !== hash)
    const data: RecoveryCodesData = { ...known, codes }
    const changed = { ...factor, data: JSON.stringify(data), lastUsedAt: new Date(now()) }
    if (await factors.update(changed, factor.version)) return codes.length
  }
  throw new AuthError('StoreUnavailable', 'factors: the recovery codes were changed by too many requests at once')
}

/** The attempts of a user; those of a browser that the user has signed in with, and of a session, are counted separately. */
const attemptLimit = { points: 1000, seconds: 3600 }

/** A typed code. */
export interface TypedRecoveryCode {
  readonly code: string
  /** The browser, if the user has signed in with it before. */
  readonly device: string | null
}

/**
 * Verifies a code and removes it: of several requests with one code, one succeeds. A wrong one costs one hash too.
 *
 * Ten of 2^50 codes are right. With 1,000 attempts an hour throughout a year, the chance to guess one is
 * 8.8 × 10^6 × 10 / 2^50 ≈ 8 × 10^-8. Failures therefore never exhaust the codes: they stay usable while others guess TOTP codes.
 *
 * @returns How many codes are left; `null` if the code is wrong.
 * @throws AuthError `RateLimited`, `StoreUnavailable`
 */
export async function consumeRecoveryCode(
  userId: string,
  { code, device }: TypedRecoveryCode,
  client: HashClient,
  setup: SecondFactorSetup
): Promise<number | null> {
  await setup.context.limit('recovery-code', JSON.stringify([userId, device]), attemptLimit)
  const factor = await setup.context.factors.get(recoveryCodesKey(userId))
  const index = getIndex(code)
  const stored = factor && parseRecoveryCodes(factor).codes.find((known) => known.index === index)
  const hasher = await setup.getHasher()
  const { isRight } = await hasher.compare({ normalized: code, typed: code }, stored?.hash ?? null, client)
  return stored && isRight ? removeCode(userId, stored.hash, setup) : null
}
