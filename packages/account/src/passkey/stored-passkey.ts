import { hash } from 'node:crypto'
import type { AccountKey, Factor, FactorKey, FeatureContext, FeatureWrite } from '@postern/core/feature'
import { type IssuedChallenge, redeemChallenge, redeemChallengeWith } from './challenges.ts'

/** The type of the factors that are passkeys. */
export const factorType = 'passkey'

/** A passkey. Binary values are in base64url. */
export interface Passkey {
  /** The id of the factor, or of the row of Auth.js as a factor would have it. */
  readonly id: string
  readonly userId: string
  readonly credentialId: string
  /** As a COSE key. */
  readonly publicKey: string
  /** How often the authenticator has signed; 0 if it does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Whether it can be copied to other devices. It never changes. */
  readonly isBackupEligible: boolean
  /** Whether it is copied to other devices. */
  readonly isBackedUp: boolean
  /** The model of the authenticator, as it states it; `null` if it is unknown. */
  readonly aaguid: string | null
  /** The user handle that the authenticator has stored; `null` if Auth.js has created it, which keeps none. */
  readonly handle: string | null
  /** Whether the authenticator verified the user when it created the passkey. */
  readonly isUserVerified: boolean
  /**
   * Whether it was added with two factors, or by the owner of the mailbox: someone who only knows the password cannot have added
   * it. Passkeys that were added without `secondFactor()` do not state it.
   */
  readonly isOwnerProven: boolean
  /** Empty if it has none. */
  readonly name: string
  /** `null` if it is unknown. */
  readonly createdAt: Date | null
  readonly lastUsedAt: Date | null
  /** Where it is stored. */
  readonly source:
    | { readonly kind: 'factor'; readonly factor: Factor }
    | { readonly kind: 'auth-js'; readonly id: string; readonly account: AccountKey }
}

/** The encrypted data of a factor. */
export type PasskeyData = Omit<Passkey, 'id' | 'userId' | 'name' | 'createdAt' | 'lastUsedAt' | 'source'>

/** The id of the factor: credential ids have up to 1023 bytes, factors up to 255 characters. */
export function getPasskeyId(credentialId: string): string {
  return hash('sha256', Buffer.from(credentialId, 'base64url'), 'base64url')
}

export const passkeyKey = (id: string): FactorKey => ({ type: factorType, id })

export function toPasskey(factor: Factor): Passkey {
  const data: PasskeyData = { isOwnerProven: false, ...JSON.parse(factor.data) }
  const { id, userId, name, createdAt, lastUsedAt } = factor
  return { ...data, id, userId, name: name ?? '', createdAt, lastUsedAt, source: { kind: 'factor', factor } }
}

/** @returns The passkeys of a user that are factors, the oldest first. */
export async function listStored(userId: string, { factors }: FeatureContext): Promise<readonly Passkey[]> {
  return (await factors.list(userId, factorType)).map(toPasskey)
}

/**
 * The writes that let the passkeys of a user count as one factor each: the user may have lost them. They still sign in, and can be
 * removed.
 */
export async function withdrawOwnerProof(
  userId: string,
  { factors }: FeatureContext
): Promise<readonly FeatureWrite[]> {
  return (await factors.list(userId, factorType)).map((factor) => {
    const data: PasskeyData = { ...JSON.parse(factor.data), isOwnerProven: false }
    return { method: 'updateFactor', args: [{ ...factor, data: JSON.stringify(data) }, factor.version] }
  })
}

/**
 * Whether a counter shows that the private key was copied. Of a passkey that may be on several devices it shows nothing: each
 * device counts on its own, or not at all. @see Web Authentication Level 3 §6.1.1; §7.2, step 22
 */
export function isBackwards(stored: number, received: number, isBackupEligible: boolean): boolean {
  return !isBackupEligible && (stored > 0 || received > 0) && received <= stored
}

/** What an authenticator reported when it signed. */
export interface PasskeyUse {
  readonly counter: number
  readonly isBackedUp: boolean
}

/** @returns The factor after a use; `'copied'` if the counter goes backwards. */
function toUsed(factor: Factor, use: PasskeyUse, { now }: FeatureContext): Factor | 'copied' {
  const known: PasskeyData = JSON.parse(factor.data)
  if (isBackwards(known.counter, use.counter, known.isBackupEligible)) return 'copied'
  const data: PasskeyData = { ...known, ...use, counter: Math.max(known.counter, use.counter) }
  return { ...factor, data: JSON.stringify(data), lastUsedAt: new Date(now()) }
}

/** Updates of one passkey that may fail because of each other. */
const maxAttempts = 100

/**
 * Uses up a challenge, and records a sign-in with the expected version, in one transaction: of two with one counter of one device, the
 * second is refused. If another use of the passkey came first, the response is judged by the passkey as it is then.
 *
 * @returns The passkey as it is when this is written; `'expired'` if the challenge was used, `'copied'` if the counter goes backwards,
 * `'gone'` if the passkey was removed. Without transactions, the later of two uses at once is `'expired'` too.
 */
export async function redeemAndRecordStored(
  first: Factor,
  use: PasskeyUse,
  challenge: IssuedChallenge,
  context: FeatureContext
): Promise<Passkey | 'expired' | 'copied' | 'gone'> {
  let factor: Factor | null = first
  for (let attempts = 1; factor !== null && attempts <= maxAttempts; attempts++) {
    const used = toUsed(factor, use, context)
    if (used === 'copied') return (await redeemChallenge(challenge)) ? 'copied' : 'expired'
    const update: FeatureWrite = { method: 'updateFactor', args: [used, factor.version] }
    if (await redeemChallengeWith(update, challenge)) return toPasskey(used)
    const current: Factor | null = await context.factors.get(factor)
    if (current?.version === factor.version) return 'expired'
    factor = current
  }
  return 'gone'
}
