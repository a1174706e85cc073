import type { Factor, FeatureContext, FeatureRequest, FeatureWrite, User } from '@postern/core/feature'
import { toTicketDeletions } from '../ticket-kinds.ts'
import { toPasswordWrite } from './password-setup.ts'

/** A new password. */
interface NewPasswordHash {
  readonly userId: string
  readonly hash: string
  /** The password that it replaces. */
  readonly known: Factor | null
  readonly type: 'password-changed' | 'password-reset'
}

/** The writes of a new password: the other requests for one end. */
export function toChangeWrites(
  { userId, hash, known, type }: NewPasswordHash,
  request: FeatureRequest,
  context: FeatureContext
): readonly FeatureWrite[] {
  return [
    toPasswordWrite(userId, hash, known, context),
    ...toTicketDeletions(userId, 'password', 'password'),
    { method: 'addEvents', args: [[context.createEvent(type, { userId, request })]] }
  ]
}

/**
 * Notifies the owner of the account. The change is made, whether or not the mail can be sent.
 *
 * @param user - Whom the mail is written for; nobody for a reset: who has read the mailbox is answered in the language of the request.
 */
export function notifyOfChange(
  email: string,
  request: FeatureRequest,
  { notify, now }: FeatureContext,
  user?: User
): void {
  const time = new Date(now())
  const url = `${request.origin}${request.basePath}/password/forgot`
  notify(email, 'changed', { url, time, client: request.client ?? '–' }, { user, request })
}
