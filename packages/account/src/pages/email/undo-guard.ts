import { AccountError, type FeatureContext } from '@postern/core/feature'
import type { RemovedProof, UndoGuard } from '../../undo-guard.ts'
import { isKnownSignIn, isProvenSince } from './known-since.ts'
import { withLocks } from './locks.ts'
import { readRemoval, recordRemoval } from './removal-delay.ts'
import { recordNewPassword } from './replaced-passwords.ts'
import { getAge, listUndos } from './undo-ticket.ts'

/**
 * Whether the undo of the earliest change can be proven with what is removed. One proof is not enough to remove another: a thief
 * may have added an account, a passkey or a password just before the change. What was added since proves no undo, also if a
 * later change has it: the thief may have made that one, too.
 */
async function isNeeded(userId: string, proof: RemovedProof | null, context: FeatureContext): Promise<boolean> {
  if (proof === null) return false
  const [earliest] = await listUndos(userId, context)
  if (!earliest) return false
  return 'provider' in proof
    ? earliest.accounts.some(([provider, id]) => provider === proof.provider && id === proof.providerAccountId)
    : earliest.factors.some(({ type, id }) => type === proof.type && id === proof.id)
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
    readAgeOfEmail: async (request, userId) => {
      const changes = await listUndos(userId, context)
      const last = changes.at(-1)
      if (!last || (await isProvenSince(request, changes, context))) return null
      const removedAt = (await readRemoval(userId, context)) ?? 0
      return getAge({ changedAt: Math.max(last.changedAt, removedAt) }, context)
    },
    isKnownSignIn: async (signIn) =>
      signIn.isNewUser || isKnownSignIn(signIn, await listUndos(signIn.user.id, context), context)
  }
}
