import type { FeatureRequest, User } from '@postern/core/feature'
import type { SecondFactorDeps } from './second-factor-deps.ts'

/** What happened, as the type of the event. */
export type FactorEvent =
  | ('factor-added' | 'factor-removed' | 'factor-reset')
  | ('recovery-code-used' | 'recovery-codes-created' | 'second-factor-failed')

/** The mail that notifies the user. */
export type FactorMail = 'added' | 'removed' | 'used' | 'reset'

type ReportDeps = Pick<SecondFactorDeps, 'context'>

/** Records what happened. @param data - What it is about, such as `totp`; never a secret. */
export async function record(
  type: FactorEvent,
  about: { readonly userId: string; readonly request: FeatureRequest | null; readonly data: string },
  { context: { events, createEvent } }: ReportDeps
): Promise<void> {
  await events.add([createEvent(type, about)])
}

/** Notifies the user of a change, if there is a verified address. What has happened stays if the mail cannot be sent. */
export async function notify(
  mail: FactorMail,
  { email, emailVerified }: Pick<User, 'email' | 'emailVerified'>,
  { request, left = 0 }: { readonly request: FeatureRequest; readonly left?: number },
  { context }: ReportDeps
): Promise<void> {
  if (!context.canSendMail || !email || !emailVerified) return
  const time = new Date(context.now()).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  const url = `${request.origin}${request.basePath}/factors`
  const values = { url, time, client: request.client ?? '–', left: String(left) }
  await context.sendMail(email, mail, values, { request }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : 'unknown error'
    context.logger.warn('NOTICE_NOT_SENT', { ref: request.id, message })
  })
}
