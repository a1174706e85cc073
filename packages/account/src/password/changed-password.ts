import type { FeatureContext, FeatureRequest, User } from '@postern/core/feature'
import type { PasswordDeps } from './password-deps.ts'

/** What was done with a password. */
interface PasswordChange {
  readonly userId: string
  readonly email: string | null
  /** @defaultValue who resets a password has read the mailbox, and is answered in the language of the request */
  readonly user?: User
  readonly type: 'password-changed' | 'password-reset'
}

/**
 * Deletes the other requests for a new password, writes the event and notifies the owner of the account. A step that fails
 * does not prevent the others.
 */
export async function finishChange(
  { userId, email, user, type }: PasswordChange,
  request: FeatureRequest,
  { context }: PasswordDeps
): Promise<void> {
  const { tickets, events, createEvent } = context
  const written = await Promise.allSettled([
    tickets.delete(userId, 'reset'),
    events.add([createEvent(type, { userId, request })])
  ])
  if (email !== null) sendNotice({ email, user }, request, context)
  for (const result of written) if (result.status === 'rejected') throw result.reason
}

/** The change is made, whether or not the mail can be sent. */
function sendNotice(
  { email, user }: { readonly email: string; readonly user: User | undefined },
  request: FeatureRequest,
  { notify, now }: FeatureContext
): void {
  const time = new Date(now()).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  const url = `${request.origin}${request.basePath}/password/forgot`
  notify(email, 'changed', { url, time, client: request.client ?? '–' }, { user, request })
}
