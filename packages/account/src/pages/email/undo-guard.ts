import { AccountError, type FeatureContext } from '@postern/core/feature'
import type { RemovedProof, UndoGuard } from '../../undo-guard.ts'
import { isKnownSignIn, readSignInAge } from './known-sign-in.ts'
import { withLocks } from './locks.ts'
import { recordRemoval } from './removal-delay.ts'
import { recordNewPassword } from './replaced-passwords.ts'
import { listUndos } from './undo-ticket.ts'

/**
 * Whether an undo can be proven with what is removed. One proof is not enough to remove another: a thief may have added an account,
 * a passkey or a password just before the change.
 */
async function isNeeded(userId: string, proof: RemovedProof | null, context: FeatureContext): Promise<boolean> {
  if (proof === null) return false
  const undos = await listUndos(userId, context)
  return undos.some(({ proofs: { accounts, factors } }) =>
    'provider' in proof
      ? accounts.some(([provider, id]) => provider === proof.provider && id === proof.providerAccountId)
      : factors.some(({ type, id }) => type === proof.type && id === proof.id)
  )
}

/** Removes something, and delays changes of the address. After an error that says nothing of the removal, the delay stays. */
async function removeWithDelay(
  userId: string,
  work: () => Promise<boolean>,
  context: FeatureContext
): Promise<boolean> {
  const restore = await recordRemoval(userId, context)
  try {
    const isRemoved = await work()
    if (!isRemoved) await restore()
    return isRemoved
  } catch (error) {
    if (error instanceof AccountError) await restore()
    throw error
  }
}

/** Keeps what proves an undo: someone who has stolen a session must not remove what the owner undoes the change with. */
export function createUndoGuard(context: FeatureContext): UndoGuard {
  return {
    remove: (userId, proof, work) =>
      withLocks(
        { userId, email: null },
        async () => ((await isNeeded(userId, proof, context)) ? 'needed' : removeWithDelay(userId, work, context)),
        context
      ),
    recordNewPassword: (userId, replaced) => recordNewPassword(userId, replaced, context),
    listAddresses: async (userId) => (await listUndos(userId, context)).map(({ from }) => from),
    readSignInAge: async (request, userId) => readSignInAge(request, await listUndos(userId, context), context),
    isKnownSignIn: async ({ isNewUser, account, user }) =>
      isNewUser || isKnownSignIn(account, await listUndos(user.id, context), context)
  }
}
