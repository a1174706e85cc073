import type { AdapterUser, FeatureContext, RequestInfo } from '@postern/core/feature'
import { notifyUser } from '../../notify-user.ts'

/** The addresses that are notified of a deletion: the verified one, if there is one. */
export const listAddresses = ({ email, emailVerified }: AdapterUser): readonly string[] =>
  email && emailVerified ? [email] : []

/** What the mails are about. */
interface OwnerMail {
  readonly mail: 'deleted' | 'deletion-scheduled' | 'deletion-cancelled'
  readonly user: AdapterUser
  readonly request: RequestInfo
  readonly values?: Readonly<Record<string, string | Date>>
  readonly path?: string
}

/** Sends a mail to each address, in the background. */
export function notifyOwner(to: readonly string[], { mail, ...facts }: OwnerMail, context: FeatureContext): void {
  const time = new Date(context.now())
  for (const email of to) notifyUser(mail, { email, emailVerified: time }, { time, ...facts }, context)
}
