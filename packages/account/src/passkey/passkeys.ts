import { findAuthJsPasskey, listAuthJsPasskeys, recordAuthJsUse } from './auth-js.ts'
import type { PasskeyDeps } from './passkey-deps.ts'
import {
  getPasskeyId,
  listStored,
  type Passkey,
  type PasskeyUse,
  passkeyKey,
  recordUse,
  toPasskey
} from './stored-passkey.ts'

/** @returns The passkey with a credential id; `null` if it is unknown. */
export async function findPasskey(credentialId: string, deps: PasskeyDeps): Promise<Passkey | null> {
  const factor = await deps.context.factors.get(passkeyKey(await getPasskeyId(credentialId)))
  const passkey = factor && toPasskey(factor)
  if (passkey) return passkey.isConfirmed ? passkey : null
  return findAuthJsPasskey(credentialId, deps.authenticators)
}

/** @returns The passkeys of a user, those of Auth.js last. */
export async function listPasskeys(userId: string, deps: PasskeyDeps): Promise<readonly Passkey[]> {
  return [...(await listStored(userId, deps.context)), ...(await listAuthJsPasskeys(userId, deps.authenticators))]
}

/** Records a sign-in with a passkey. */
export function recordPasskeyUse(
  { source }: Passkey,
  use: PasskeyUse,
  { context, authenticators }: PasskeyDeps
): Promise<'recorded' | 'copied' | 'gone'> {
  return source.kind === 'factor'
    ? recordUse(source.factor, use, context)
    : recordAuthJsUse(source.id, use, authenticators)
}
