import type { AccountKey, FeatureContext, FeatureRequest } from '@postern/core/feature'
import { findPasswordCheck } from '../../password-check.ts'
import type { SignInAge } from '../../undo-guard.ts'
import { readSignInClaims } from './sign-in-claims.ts'
import { isProvenBy } from './undo-proof.ts'
import type { StoredUndo } from './undo-ticket.ts'

/** Whether the password of a user proves an undo. Another one may have been set with the new mailbox. */
async function isKnownPassword(
  { userId, proofs }: StoredUndo,
  type: string,
  context: FeatureContext
): Promise<boolean> {
  const [current] = await context.factors.list(userId, type)
  return current !== undefined && proofs.passwords.includes(current.data)
}

/** Whether a sign-in used what proves the undo of each change. */
export async function isKnownSignIn(
  account: AccountKey,
  changes: readonly StoredUndo[],
  context: FeatureContext
): Promise<boolean> {
  const passwordType = findPasswordCheck(context)?.factorType
  for (const change of changes) {
    const isKnown =
      account.provider === passwordType
        ? await isKnownPassword(change, passwordType, context)
        : await isProvenBy(account, change, context)
    if (!isKnown) return false
  }
  return true
}

/** Compares the sign-in of a session with the changes of the address that can be undone. */
export async function readSignInAge(
  request: FeatureRequest,
  changes: readonly StoredUndo[],
  context: FeatureContext
): Promise<SignInAge> {
  const last = changes.at(-1)
  if (!last) return 'known'
  const claims = await readSignInClaims(request)
  if (claims?.undoId !== last.key.id) return 'before'
  return (await isKnownSignIn(claims, changes, context)) ? 'known' : 'unknown'
}
