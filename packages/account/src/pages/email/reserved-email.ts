import { type FeatureContext, normalizeEmailAddress, type TicketKey } from '@postern/core/feature'
import { hashText } from './hash-text.ts'

const kind = 'email-reserved'

/** What the ticket of a reserved address contains. */
interface Reservation {
  readonly userId: string
  /** The ticket of the undo that needs the address. */
  readonly undoId: string
}

/** The form in which addresses are compared: of another library, the store may have others. */
export const toComparable = (email: string): string => normalizeEmailAddress(email) ?? email.toLowerCase()

export async function reservationKey(email: string): Promise<TicketKey> {
  return { kind, id: await hashText(toComparable(email)) }
}

/**
 * The user that an address is reserved for. A change that was running while its user was deleted may leave a reservation.
 *
 * @returns `null` if it is not reserved, or if the user does not exist.
 */
export async function readReservation(
  email: string,
  { tickets, users }: Pick<FeatureContext, 'tickets' | 'users'>
): Promise<Reservation | null> {
  const ticket = await tickets.read(await reservationKey(email))
  if (!ticket) return null
  const reservation: Reservation = JSON.parse(ticket.data)
  return (await users.getUser(reservation.userId)) ? reservation : null
}

/** Whether another user has an address, or it is reserved for one. */
export async function isTaken(
  email: string,
  userId: string,
  context: Pick<FeatureContext, 'tickets' | 'users'>
): Promise<boolean> {
  const owner = await context.users.getUserByEmail(email)
  if (owner && owner.id !== userId) return true
  const reservation = await readReservation(email, context)
  return reservation !== null && reservation.userId !== userId
}
