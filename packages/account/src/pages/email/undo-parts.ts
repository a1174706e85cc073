import type { FeatureContext, FeatureParts } from '@postern/core/feature'
import { recordLink } from './linked-accounts.ts'
import { deleteRemoval } from './removal-delay.ts'
import { deleteReplacedPasswords } from './replaced-passwords.ts'
import { readReservation } from './reserved-email.ts'
import { createSignInClaims } from './sign-in-claims.ts'
import { deleteUndos, storesUndos } from './undo-ticket.ts'

/**
 * What keeps changes of the address safe while they can be undone. An application that hides the section needs it, too: another one
 * on the same store may have it.
 */
export const createUndoParts = (context: FeatureContext): FeatureParts => ({
  claims: (authentication, account) => createSignInClaims(authentication, account, context),
  hidesClaims: true,
  addressRequests: ['email-change'],
  onEvent: (event) => (storesUndos(context) ? recordLink(event) : []),
  isEmailReserved: async (email) => storesUndos(context) && (await readReservation(email, context)) !== null,
  onUserDelete: async (userId) => {
    if (!storesUndos(context)) return
    await deleteUndos(userId, context)
    await deleteRemoval(userId, context)
    await deleteReplacedPasswords(userId, context)
  }
})
