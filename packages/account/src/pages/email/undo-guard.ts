import type { FeatureContext } from '@postern/core/feature'
import { findPasswordCheck } from '../../password-check.ts'
import type { RemovedProof, UndoGuard } from '../../undo-guard.ts'
import { withLocks } from './locks.ts'
import { isUnchanged } from './undo-proof.ts'
import { listUndos, type UndoState } from './undo-ticket.ts'

const toName = (proof: RemovedProof): string =>
  'provider' in proof ? `account ${proof.provider} ${proof.providerAccountId}` : `factor ${proof.type} ${proof.id}`

/** The accounts and passkeys of the user whose sessions prove an undo. */
async function listProofs(undo: UndoState, context: FeatureContext): Promise<readonly string[]> {
  const { userId, accounts: before } = undo
  const [accounts, factors] = await Promise.all([context.postern.accounts.list(userId), context.factors.list(userId)])
  return [
    ...accounts.filter(({ provider, providerAccountId }) =>
      before.some(([known, id]) => known === provider && id === providerAccountId)
    ),
    ...factors.filter((factor) => context.providers.some(({ id }) => id === factor.type) && isUnchanged(factor, undo))
  ].map(toName)
}

/** Whether a removal would leave an undo without a proof. The undo contains the password from before the change. */
async function isNeeded(userId: string, proof: RemovedProof, context: FeatureContext): Promise<boolean> {
  const passwordType = findPasswordCheck(context)?.factorType
  for (const undo of await listUndos(userId, context)) {
    if (undo.factors.some(({ type }) => type === passwordType)) continue
    const proofs = await listProofs(undo, context)
    if (proofs.length === 1 && proofs[0] === toName(proof)) return true
  }
  return false
}

/** Keeps the last proof of an undo: someone who has stolen a session must not remove what the owner undoes the change with. */
export function createUndoGuard(context: FeatureContext): UndoGuard {
  return {
    remove: (userId, proof, work) =>
      withLocks(
        { userId, email: null },
        async () => ((await isNeeded(userId, proof, context)) ? 'needed' : work()),
        context
      )
  }
}
