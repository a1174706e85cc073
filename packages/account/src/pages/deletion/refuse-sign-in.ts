import { AuthError, type FeatureContext, type FeatureError, type Interruption } from '@postern/core/feature'
import { deleteIfDue } from './delete-scheduled.ts'
import { isDue, readScheduledDeletion } from './scheduled-deletion.ts'

const code = 'AccountDeleted'

export const deletionErrors: readonly FeatureError[] = [{ code, text: 'deletionEnded' }]

/** Refuses sign-ins after the grace period: a sign-in must not restore an account whose deletion has not run yet. */
export function createDeletionGate(context: FeatureContext): Interruption {
  const refuse = (userId: string): never => {
    throw new AuthError(code, 'the grace period of the deletion of the account has ended', { status: 403, userId })
  }
  return {
    id: 'deletion',
    // Before others, which could send the user to a page.
    order: 50,
    isDue: async ({ user, isNewUser }) => {
      const deletion = isNewUser ? null : await readScheduledDeletion(user.id, context)
      if (!deletion || !isDue(deletion, context)) return false
      await deleteIfDue(user.id, context)
      return refuse(user.id)
    },
    show: ({ user }) => refuse(user.id),
    verify: ({ user }) => refuse(user.id)
  }
}
