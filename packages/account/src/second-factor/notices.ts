import type { FeatureRequest, User } from '@postern/core/feature'
import type { SecondFactorDeps } from './second-factor-deps.ts'

/** What happened, as the type of the event. */
export type FactorEvent =
  | ('factor-added' | 'factor-imported' | 'factor-removed' | 'factor-reset')
  | ('recovery-code-used' | 'recovery-codes-created' | 'second-factor-failed')

/** The mail that notifies the user. */
export type FactorMail = 'added' | 'removed' | 'used' | 'renewed' | 'reset'

type ReportDeps = Pick<SecondFactorDeps, 'context'>

/** Records what happened. @param data - What it is about, such as `totp`; never a secret. */
export async function record(
  type: FactorEvent,
  about: { readonly userId: string; readonly request: FeatureRequest | null; readonly data: string },
  { context: { events, createEvent } }: ReportDeps
): Promise<void> {
  await events.add([createEvent(type, about)])
}

/** Notifies the user of a change, if there is a verified address. It is sent in the background. */
export function notify(
  mail: FactorMail,
  user: User,
  { request, left = 0 }: { readonly request: FeatureRequest; readonly left?: number },
  { context }: ReportDeps
): void {
  const { email, emailVerified } = user
  if (!context.canSendMail || !email || !emailVerified) return
  const time = new Date(context.now()).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  const url = `${request.origin}${request.basePath}/factors`
  const values = { url, time, client: request.client ?? '–', left: String(left) }
  context.notify(email, mail, values, { user, request })
}
