import type { Factor, PendingSignIn } from '@postern/core/feature'
import { AccountPart } from '../account-parts.ts'
import { type Passkey, factorType as passkeyType, toPasskey } from '../passkey/stored-passkey.ts'
import { hasTwoFactors, isTwoFactor } from '../two-factors.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
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
export async function loadFactors(userId: string, { context }: SecondFactorSetup): Promise<UserFactors> {
  const all = await context.factors.list(userId)
  const codes = all.find(({ type }) => type === recoveryCodesType)
  const parts = AccountPart.findAll(context)
  const passkeys = parts.passkeys ? all.filter(({ type }) => type === passkeyType).map(toPasskey) : []
  return {
    totp: all.find(({ type }) => type === totpType) ?? null,
    recoveryCodes: codes ? parseRecoveryCodes(codes).codes.length : null,
    passkeys: passkeys.filter((passkey) => isTwoFactor(passkey, parts)),
    areTwo: hasTwoFactors(all, parts),
    all
  }
}

/** Reads the factors of a sign-in: that of a new user has none, and a reclaim deletes them. */
export async function readFactors(
  { user, isNewUser, isReclaim }: PendingSignIn,
  setup: SecondFactorSetup
): Promise<UserFactors> {
  return isNewUser || isReclaim ? none : loadFactors(user.id, setup)
}
