import type { Factor, PendingSignIn } from '@postern/core/feature'
import { isTwoFactor } from '../passkey/factor-policy.ts'
import { findRegisteredPasskeys } from '../passkey/registered-passkeys.ts'
import { type Passkey, factorType as passkeyType, toPasskey } from '../passkey/stored-passkey.ts'
import { hasTwoFactors } from '../two-factors.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'
import { parseRecoveryCodes, recoveryCodesType } from './stored-recovery-codes.ts'
import { totpType } from './stored-totp.ts'

/** What a user authenticates with. */
export interface UserFactors {
  readonly totp: Factor | null
  /** The recovery codes that are left; `null` if none were created. */
  readonly recoveryCodes: number | null
  /** The passkeys that count as a second factor. */
  readonly passkeys: readonly Passkey[]
  /** Whether they are two factors, whether or not the user is asked for them. */
  readonly areTwo: boolean
  /** The factors of every feature. */
  readonly all: readonly Factor[]
}

const none: UserFactors = { totp: null, recoveryCodes: null, passkeys: [], areTwo: false, all: [] }

/** Reads all factors of a user at once. @throws AuthError `StoreUnavailable`, also if the key of a factor is missing */
export async function loadFactors(
  userId: string,
  { context }: Pick<SecondFactorDeps, 'context'>
): Promise<UserFactors> {
  const all = await context.factors.list(userId)
  const codes = all.find(({ type }) => type === recoveryCodesType)
  const passkeys = findRegisteredPasskeys(context) ? all.filter(({ type }) => type === passkeyType).map(toPasskey) : []
  return {
    totp: all.find(({ type }) => type === totpType) ?? null,
    recoveryCodes: codes ? parseRecoveryCodes(codes).codes.length : null,
    passkeys: passkeys.filter((passkey) => passkey.isConfirmed && isTwoFactor(passkey, context)),
    areTwo: hasTwoFactors(all, context),
    all
  }
}

/** Reads the factors of sign-ins, once for each: several interruptions ask for them. */
export function createFactorReader(
  deps: Pick<SecondFactorDeps, 'context'>
): (signIn: PendingSignIn) => Promise<UserFactors> {
  const read = new WeakMap<PendingSignIn, Promise<UserFactors>>()
  return (signIn) => {
    // The sign-in of a new user has none, and a claim deletes them.
    if (signIn.isNewUser || signIn.isClaim) return Promise.resolve(none)
    const known = read.get(signIn) ?? loadFactors(signIn.user.id, deps)
    read.set(signIn, known)
    return known
  }
}
