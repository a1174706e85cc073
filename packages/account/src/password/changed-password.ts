import type { FeatureRequest } from '@postern/core/feature'
import type { PasswordDeps } from './password-deps.ts'

/** What was done with a password. */
interface PasswordChange {
  readonly userId: string
  readonly email: string | null
  readonly type: 'password-changed' | 'password-reset'
}

/** Ends the other requests for a new password, and tells the owner of the account. */
export async function finishChange(
  { userId, email, type }: PasswordChange,
  request: FeatureRequest,
  { context }: PasswordDeps
): Promise<void> {
  const { tickets, events, createEvent, sendMail, logger, now } = context
  await tickets.delete(userId, 'reset')
  await events.add([createEvent(type, { userId, request })])
  if (email === null) return
  const time = new Date(now()).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  const url = `${request.origin}${request.basePath}/password/forgot`
  const values = { url, time, client: request.client ?? '–' }
  // The change is made, whether or not the mail can be sent.
  await sendMail(email, 'changed', values, { request }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : 'unknown error'
    logger.warn('NOTICE_NOT_SENT', { ref: request.id, message })
  })
}
