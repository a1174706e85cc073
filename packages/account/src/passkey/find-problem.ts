import type { SignedInUser } from '../signed-in-user.ts'
import type { Passkey } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** The passkeys of one user. */
const maxPasskeys = 50

/** @returns Why the user cannot add a passkey, or `null`. */
export function findProblem({ mayAdd }: Pick<SignedInUser, 'mayAdd'>, passkeys: readonly Passkey[]): TextKey | null {
  if (!mayAdd) return 'unverified'
  return passkeys.length >= maxPasskeys ? 'tooMany' : null
}
