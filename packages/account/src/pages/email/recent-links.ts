import { createHash } from 'node:crypto'
import type { AccountKey, FeatureCall, FeatureContext, SecurityEvent, TicketKey } from '@postern/core/feature'
import { undoPeriod } from './undo-period.ts'
import type { AccountPair } from './undo-ticket.ts'

/**
 * Each account has a kind of its own: the earlier ticket of the same account is deleted in one write, which may find none. It is not
 * stored under the id of the user, as a suspension or a claim deletes all tickets of the user.
 */
function getKey(userId: string, { provider, providerAccountId }: AccountKey): TicketKey {
  const text = JSON.stringify([userId, provider, providerAccountId])
  const id = createHash('sha256').update(text).digest('base64url')
  return { kind: `linked-${id.slice(0, 22)}`, id }
}

/** Records that an account was connected to a user who existed, in the transaction of the sign-in. */
export function recordLink({ type, userId, account, time }: SecurityEvent): readonly FeatureCall[] {
  if (type !== 'link' || !account) return []
  const key = getKey(userId, account)
  const expires = new Date(time.getTime() + undoPeriod)
  return [
    { method: 'deleteTickets', args: [key.id, key.kind] },
    { method: 'createTicket', args: [{ ...key, userId: key.id, data: '', tries: 0, expires }] }
  ]
}

/** @returns The accounts that the user had for 7 days, or since the user signed up. */
export async function filterOldAccounts(
  userId: string,
  accounts: readonly AccountPair[],
  { tickets, isBeingLinked }: Pick<FeatureContext, 'isBeingLinked' | 'tickets'>
): Promise<readonly AccountPair[]> {
  const accountKeys = accounts.map(([provider, providerAccountId]) => ({ provider, providerAccountId }))
  // Before the records: without transactions, a link is recorded after its account was written, and then settled.
  const areBeingLinked = await Promise.all(accountKeys.map((key) => isBeingLinked(key, userId)))
  const links = await tickets.readAll(accountKeys.map((key) => getKey(userId, key)))
  return accounts.filter((_, index) => !links[index] && !areBeingLinked[index])
}
