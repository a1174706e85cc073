import { AccountError, type FeatureContext, type FeatureRequest } from '@postern/core/feature'
import type { RemovedProof, UndoGuard } from '../../undo-guard.ts'
import { withLocks } from './locks.ts'
import { recordRemoval, wasRemovedSince } from './removal-delay.ts'
import { recordNewPassword } from './replaced-passwords.ts'
import { readProviderProofs } from './undo-proof.ts'
import { listUndos, type UndoState } from './undo-ticket.ts'

/**
 * Whether an undo can be proven with what is removed. One proof is not enough to remove another: a thief may have added an
 * account, a passkey or a password just before the change.
 */
async function isNeeded(userId: string, proof: RemovedProof | null, context: FeatureContext): Promise<boolean> {
  if (proof === null) return false
  const undos = await listUndos(userId, context)
  return undos.some(({ accounts, factors }) =>
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

/** Whether the session was authenticated after a change, and not with what may have been added or removed since. */
async function isProvenSince(request: FeatureRequest, change: UndoState, context: FeatureContext): Promise<boolean> {
  const { authenticatedAt } = await request.requireUser()
  if (authenticatedAt === null || authenticatedAt.getTime() <= change.changedAt) return false
  const provider = (await request.getAuthentication())?.provider?.id
  if (provider === undefined || !(await readProviderProofs(provider, change, context)).areKnown) return false
  return !(await wasRemovedSince(request, change.userId, context))
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
      const change = (await listUndos(userId, context)).at(-1)
      if (!change || (await isProvenSince(request, change, context))) return null
      return Math.max(0, Math.floor((context.now() - change.changedAt) / 1000))
    }
  }
}
