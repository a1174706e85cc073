import { AccountError, type FeatureContext } from '@postern/core/feature'
import type { RemovedProof, UndoGuard } from '../../undo-guard.ts'
import { isKnownSignIn, readSignInTrust } from './known-sign-in.ts'
import { withLocks } from './locks.ts'
import { recordRemoval } from './removal-delay.ts'
import { recordNewPassword } from './replaced-passwords.ts'
import { loadSignInProof } from './sign-in-claims.ts'
import { listUndos, type StoredUndo, storesUndos } from './undo-ticket.ts'

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

/** Removes something, and delays changes of the address. If an error does not tell whether it was removed, the delay stays. */
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

/**
 * Keeps what proves an undo: someone who has stolen a session must not remove what the owner undoes the change with. An application
 * that hides the section of the address guards the undos of others on the same store.
 */
export function createUndoGuard(context: FeatureContext): UndoGuard {
  const list = async (userId: string): Promise<readonly StoredUndo[]> =>
    storesUndos(context) ? listUndos(userId, context) : []
  return {
    remove: async (userId, proof, work) => {
      if (!storesUndos(context)) return work()
      return withLocks(
        { userId, email: null },
        async () => ((await isNeeded(userId, proof, context)) ? 'needed' : removeWithDelay(userId, work, context)),
        context
      )
    },
    recordNewPassword: async (userId, replaced) => {
      if (storesUndos(context)) await recordNewPassword(userId, replaced, context)
    },
    listAddresses: async (userId) => (await list(userId)).map(({ from }) => from),
    readSignInTrust: async (request, userId) => readSignInTrust(request, await list(userId), context),
    isKnownSignIn: async ({ isNewUser, account, user }) => {
      const changes = isNewUser ? [] : await list(user.id)
      return changes.length === 0 || isKnownSignIn(await loadSignInProof(account, user.id, context), changes, context)
    }
  }
}
