import type { FeatureRequest, FeatureWrite, User } from '@postern/core/feature'
import { notifyUser } from '../notify-user.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'

/** What happened, as the type of the event. */
export type FactorEvent =
  | ('factor-added' | 'factor-imported' | 'factor-removed' | 'factor-reset')
  | ('recovery-code-used' | 'recovery-codes-created' | 'second-factor-failed')

/** The mail about an app that was removed: whether two-step verification is off now, and whether there were recovery codes. */
export type RemovalMail = `${'removed' | 'app-removed'}${'' | '-without-codes'}`

/** The mail that notifies the user. */
export type FactorMail = 'added' | RemovalMail | 'used' | 'renewed' | 'reset'

/** The write of what happened. @param data - What it is about, such as `totp`; never a secret. */
export const toEventWrite = (
  type: FactorEvent,
  about: { readonly userId: string; readonly request: FeatureRequest | null; readonly data: string },
  { context }: SecondFactorSetup
): FeatureWrite => ({ method: 'addEvents', args: [[context.createEvent(type, about)]] })

/** Records what happened. @param data - What it is about, such as `totp`; never a secret. */
export async function record(
  type: FactorEvent,
  about: { readonly userId: string; readonly request: FeatureRequest | null; readonly data: string },
  { context: { events, createEvent } }: SecondFactorSetup
): Promise<void> {
  await events.add([createEvent(type, about)])
}

/** Notifies the user of a change, if there is a verified address. It is sent in the background. */
export function notify(
  mail: FactorMail,
  user: User,
  { request, left = 0 }: { readonly request: FeatureRequest; readonly left?: number },
  { context }: SecondFactorSetup
): void {
  notifyUser(mail, user, { user, request, path: '/factors', values: { left: String(left) } }, context)
}
