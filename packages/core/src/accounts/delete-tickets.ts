import type { Store } from '../adapter/store.ts'
import type { Ticket } from '../adapter/ticket.ts'
import type { FeatureHooks } from '../hooks/feature-hooks.ts'

/** Deletes the tickets of a user, except those that last. @param writing - The transaction of the change. */
export async function deleteUserTickets(
  userId: string,
  writing: Store,
  store: Store | null,
  features: FeatureHooks
): Promise<void> {
  const { tickets } = writing
  if (!tickets) return
  const keys = await features.lastingTickets(userId)
  const found = keys.length === 0 ? [] : ((await store?.tickets?.readAll(keys)) ?? [])
  const lasting = found.filter((ticket) => ticket?.userId === userId)
  // A transaction is aborted if one has changed since, such as a deletion that its user has canceled: it must not come back.
  const kept: Ticket[] = []
  for (const ticket of lasting) if (ticket && (await tickets.put?.(ticket, ticket)) !== false) kept.push(ticket)
  await tickets.delete(userId)
  for (const ticket of kept) await tickets.create(ticket)
}
