import type { FeatureContext, FeatureParts } from '@postern/core/feature'
import { recordLink } from './recent-links.ts'
import { deleteRemoval } from './removal-delay.ts'
import { deleteReplacedPasswords } from './replaced-passwords.ts'
import { readReservation } from './reserved-email.ts'
import { createSignInClaims } from './sign-in-claims.ts'
import { deleteUndos, storesUndos } from './undo-ticket.ts'

/**
 * The parts of the feature that protect an undo. They are registered even if the section is hidden, because another application may share
 * the store.
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
