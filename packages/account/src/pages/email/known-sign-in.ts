import type { FeatureContext, FeatureRequest } from '@postern/core/feature'
import { findPasswordCheck } from '../../password-check.ts'
import type { SignInTrust } from '../../undo-guard.ts'
import { readSignInClaims, type SignInProof } from './sign-in-claims.ts'
import { isProvenBy } from './undo-proof.ts'
import { isSignInAfterChange, listUndoIds, type StoredUndo } from './undo-ticket.ts'

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
  proof: SignInProof,
  changes: readonly StoredUndo[],
  context: FeatureContext
): Promise<boolean> {
  const passwordType = findPasswordCheck(context)?.factorType
  for (const change of changes) {
    const isKnown =
      proof.provider === passwordType
        ? await isKnownPassword(change, passwordType, context)
        : await isProvenBy(proof, change)
    if (!isKnown) return false
  }
  return true
}

/** Compares the sign-in of a session with the changes of the address that can be undone. */
export async function readSignInTrust(
  request: FeatureRequest,
  changes: readonly StoredUndo[],
  context: FeatureContext
): Promise<SignInTrust> {
  const last = changes.at(-1)
  if (!last) return 'trusted'
  const claims = await readSignInClaims(request)
  const ids = await listUndoIds(last.userId, context)
  if (claims === null || !isSignInAfterChange(claims.undoId, last.key.id, ids)) return 'before-change'
  return (await isKnownSignIn(claims, changes, context)) ? 'trusted' : 'untrusted'
}
