import type { Factor, FeatureContext, FeatureRequest } from '@postern/core/feature'
import { AccountPart, type AccountParts } from './account-parts.ts'
import { type Passkey, factorType as passkeyType, toPasskey } from './passkey/stored-passkey.ts'
import { totpType } from './second-factor/stored-totp.ts'

/**
 * Whether a passkey counts as two factors: its authenticator verified the user when it created it, and with a second factor,
 * someone who only knew the password cannot have added it.
 */
export function isTwoFactor(
  { isUserVerified, isOwnerProven }: Pick<Passkey, 'isOwnerProven' | 'isUserVerified'>,
  { factors }: AccountParts
): boolean {
  return isUserVerified && (isOwnerProven || factors === null)
}

/**
 * Whether a user has two factors: an authenticator app, or a passkey that counts as two. Whether the application asks the user for them
 * does not matter. Without `secondFactor()` nobody has: anybody with one factor can add a passkey then, so that the owner must be
 * able to remove it with one factor, too.
 *
 * @param factors - All factors of the user.
 */
export function hasTwoFactors(factors: readonly Factor[], parts: AccountParts): boolean {
  if (parts.factors === null) return false
  return factors.some((factor) => {
    if (factor.type !== passkeyType) return factor.type === totpType
    const passkey = toPasskey(factor)
    // A passkey that this application cannot verify would leave the user without a way to pass.
    return parts.passkeys !== null && isTwoFactor(passkey, parts)
  })
}

/**
 * What a session lacks to add, replace, remove or read out what the user authenticates with, and for what cannot be taken back: it
 * needs the highest level that the account has. Otherwise, someone with one factor, such as the reader of the mailbox, could add a
 * second one of their own.
 *
 * @returns The values of `amr` that the user must authenticate with; none if the session has the level.
 * @throws AuthError `StoreUnavailable`, also if the key of a factor is missing
 * @see NIST SP 800-63B-4 §4.1.2, for binding another authenticator
 */
export async function readMissingLevel(
  request: Pick<FeatureRequest, 'getAuthentication'>,
  userId: string,
  context: FeatureContext
): Promise<readonly string[]> {
  const parts = AccountPart.findAll(context)
  if (parts.factors === null || (await request.getAuthentication())?.amr.includes('mfa')) return []
  return hasTwoFactors(await context.factors.list(userId), parts) ? ['mfa'] : []
}
