import type { SignedInUser } from '../signed-in-user.ts'
import { findAuthJsPasskey, listAuthJsPasskeys, recordAuthJsUse } from './auth-js.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import {
  getPasskeyId,
  listStored,
  type Passkey,
  type PasskeyUse,
  passkeyKey,
  recordUse,
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

/** Records a sign-in with a passkey. @returns The passkey as it is when this is written. */
export function recordPasskeyUse(
  { source }: Passkey,
  use: PasskeyUse,
  { context, authenticators }: PasskeySetup
): Promise<Passkey | 'copied' | 'gone'> {
  return source.kind === 'factor'
    ? recordUse(source.factor, use, context)
    : recordAuthJsUse(source.id, use, authenticators)
}

/** The passkeys of one user. */
const maxPasskeys = 50

/** @returns Why the user cannot add a passkey, or `null`. */
export function findProblem({ mayAdd }: Pick<SignedInUser, 'mayAdd'>, passkeys: readonly Passkey[]): TextKey | null {
  if (!mayAdd) return 'unverified'
  return passkeys.length >= maxPasskeys ? 'tooMany' : null
}
