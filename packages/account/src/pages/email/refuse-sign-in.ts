import { AuthError, type FeatureContext, type FeatureError, type Interruption } from '@postern/core/feature'
import { applyIfDue } from './apply-change.ts'

const code = 'EmailChanged'

export const emailErrors: readonly FeatureError[] = [{ code, text: 'emailChangedText', screen: 'signin', status: 401 }]

/**
 * Changes the address of a user who signs in when the change is due, and refuses the sign-in: what it has proven is from before the
 * change, which ends all sessions.
 */
export function createEmailGate(context: FeatureContext): Interruption {
  const refuse = (userId: string): never => {
    throw new AuthError(code, 'the address was changed, as its time had come', { status: 401, userId })
  }
  return {
    id: 'email-change',
    // Before others, which could send the user to a page.
    order: 60,
    isDue: async ({ user, isNewUser }) =>
      isNewUser || (await applyIfDue(user.id, context)) === 'nothing' ? false : refuse(user.id),
    show: ({ user }) => refuse(user.id),
    verify: ({ user }) => refuse(user.id)
  }
}
