import type { AdapterUser, FeatureContext, RequestInfo } from '@postern/core/feature'
import { findUndoGuard } from '../../undo-guard.ts'
import { type AccountMail, notifyUser } from '../notify-user.ts'

/**
 * The addresses that are notified of a deletion. The owner may still undo a change of the address: the current one may be
 * that of a thief.
 */
export async function listAddresses(
  { id, email, emailVerified }: AdapterUser,
  context: FeatureContext
): Promise<readonly string[]> {
  const earlier = (await findUndoGuard(context)?.listAddresses(id)) ?? []
  return [...new Set([...(email && emailVerified ? [email] : []), ...earlier])]
}

/** What the mails are about. */
interface OwnerMail {
  readonly mail: AccountMail
  readonly user: AdapterUser
  readonly request: RequestInfo
  readonly values?: Readonly<Record<string, string>>
  readonly path?: string
}

/** Sends a mail to each address, in the background. */
export function notifyOwner(
  addresses: readonly string[],
  { mail, ...facts }: OwnerMail,
  context: FeatureContext
): void {
  const time = new Date(context.now())
  for (const email of addresses) notifyUser(mail, { email, emailVerified: time }, { time, ...facts }, context)
}
