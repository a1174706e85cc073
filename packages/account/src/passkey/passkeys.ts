import type { SignedInUser } from '../signed-in-user.ts'
import { findAuthJsPasskey, listAuthJsPasskeys, recordAuthJsUse } from './auth-js.ts'
import { type IssuedChallenge, redeemChallenge } from './challenges.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import {
  getPasskeyId,
  listStored,
  type Passkey,
  type PasskeyUse,
  passkeyKey,
  redeemAndRecordStored,
  toPasskey
} from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** @returns The passkey with a credential id; `null` if it is unknown. */
export async function findPasskey(credentialId: string, setup: PasskeySetup): Promise<Passkey | null> {
  const factor = await setup.context.factors.get(passkeyKey(getPasskeyId(credentialId)))
  return factor ? toPasskey(factor) : findAuthJsPasskey(credentialId, setup.authenticators)
}

/** @returns The passkeys of a user, those of Auth.js last. */
export async function listPasskeys(userId: string, setup: PasskeySetup): Promise<readonly Passkey[]> {
  return [...(await listStored(userId, setup.context)), ...(await listAuthJsPasskeys(userId, setup.authenticators))]
}

/**
 * Uses up a challenge, and records a sign-in with a passkey.
 *
 * @returns The passkey as it is when this is written, or why it is not: `'expired'` if the challenge was used.
 */
export async function redeemAndRecordUse(
  { source }: Passkey,
  use: PasskeyUse,
  challenge: IssuedChallenge,
  { context, authenticators }: PasskeySetup
): Promise<Passkey | 'expired' | 'copied' | 'gone'> {
  if (source.kind === 'factor') return redeemAndRecordStored(source.factor, use, challenge, context)
  return (await redeemChallenge(challenge)) ? recordAuthJsUse(source.id, use, authenticators) : 'expired'
}

/** The passkeys of one user. */
const maxPasskeys = 50

/** @returns Why the user cannot add a passkey, or `null`. */
export function findProblem({ mayAdd }: Pick<SignedInUser, 'mayAdd'>, passkeys: readonly Passkey[]): TextKey | null {
  if (!mayAdd) return 'unverified'
  return passkeys.length >= maxPasskeys ? 'tooMany' : null
}
