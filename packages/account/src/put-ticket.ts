import type { FeatureContext, Ticket } from '@postern/core/feature'

/** Replaces a ticket that is unchanged since it was read, or creates one if `expected` is `null`. @returns Whether it did. */
export async function putTicket(
  ticket: Ticket,
  expected: Ticket | null,
  { tickets }: FeatureContext
): Promise<boolean> {
  if (!tickets.put) throw new TypeError('expected an adapter with putTicket')
  return tickets.put(ticket, expected)
}

/** Stores a ticket in place of an earlier one, also of one that changes meanwhile or that cannot be read. */
export async function replaceTicket(ticket: Ticket, setup: FeatureContext): Promise<void> {
  const { tickets } = setup
  if (await putTicket(ticket, await tickets.read(ticket), setup)) return
  await tickets.consume(ticket)
  // If it exists again, a concurrent call has stored its own.
  await putTicket(ticket, null, setup)
}
