/** When a ticket expires that stays until it is consumed: later than any cleanup, and a valid date in every database. */
export const never: Date = new Date('9999-01-01T00:00:00Z')

/** The pair that identifies a ticket. */
export interface TicketKey {
  /** The operation, such as `invitation`. */
  kind: string
  /** Unique within its kind; at most 255 ASCII characters. */
  id: string
}

/** Whether two keys are the same. */
export function isSameKey(one: TicketKey, other: TicketKey): boolean {
  return one.kind === other.kind && one.id === other.id
}

/** A pending operation: stored until it is consumed, canceled or expired. */
export interface Ticket extends TicketKey {
  /** The user of the operation; `null` if there is none yet. */
  userId: string | null
  /** The state that the operation needs to continue. Postern encrypts it before it reaches the adapter. */
  data: string
  /** Failed attempts so far. */
  tries: number
  expires: Date
  /** When the operation happens by itself: `listDueTickets` finds it from then on. Independent of `expires`. */
  dueAt?: Date | null
}
