import type { FeatureContext, Ticket } from '@postern/core/feature'

/**
 * Creates a ticket, unless one with the same key exists. Of concurrent calls, one creates it. An expired ticket is replaced.
 *
 * @returns Whether it was created.
 */
export async function createTicketOnce(ticket: Ticket, { tickets }: Pick<FeatureContext, 'tickets'>): Promise<boolean> {
  try {
    await tickets.create(ticket)
    return true
  } catch (error) {
    // `read` does not return an expired ticket.
    if ((await tickets.read(ticket)) !== null) return false
    const removed = await tickets.consume(ticket)
    if (removed !== null) {
      await tickets.create(removed)
      return false
    }
    return tickets.create(ticket).then(
      () => true,
      async () => {
        if ((await tickets.read(ticket)) === null) throw error
        return false
      }
    )
  }
}
