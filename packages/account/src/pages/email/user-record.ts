import type { FeatureContext, FeatureWrite, Ticket, TicketKey } from '@postern/core/feature'
import { hashText } from './hash-text.ts'

type RecordDeps = Pick<FeatureContext, 'tickets'>

/** What is stored about a user in tickets of one kind. */
export interface UserRecordKey {
  readonly kind: string
  readonly userId: string
}

interface Stored {
  /** Increases with each replacement, whatever the clocks of the processes say. */
  readonly version: number
  readonly data: string
}

/**
 * A record has two tickets in turn: the new one is created before the earlier one is deleted, so that a process which ends in
 * between, in a store without transactions, leaves the newer or the earlier record. They have no `userId`: the end of all
 * requests of a user must not delete them.
 */
const getKeys = ({ kind, userId }: UserRecordKey): Promise<readonly TicketKey[]> =>
  Promise.all(['0', '1'].map(async (turn) => ({ kind, id: await hashText(`${userId} ${turn}`) })))

const parse = (ticket: Ticket | null): Stored | null => ticket && JSON.parse(ticket.data)

interface Slot {
  readonly key: TicketKey
  /** `null` if the ticket does not exist, or has expired. */
  readonly stored: Stored | null
}

/** Reads both tickets, the newer one first. */
async function findSlots(key: UserRecordKey, { tickets }: RecordDeps): Promise<readonly Slot[]> {
  const keys = await getKeys(key)
  const found = await tickets.readAll(keys)
  const slots = keys.map((slot, index) => ({ key: slot, stored: parse(found[index] ?? null) }))
  return slots.toSorted((one, other) => (other.stored?.version ?? 0) - (one.stored?.version ?? 0))
}

/**
 * Reads a record, for a purpose that may miss one: with an adapter without `readTickets`, one ticket may be read before another
 * request creates it, and the other one after it was deleted.
 *
 * @returns `null` if there is none, or if it has expired.
 */
export async function findUserRecord(key: UserRecordKey, deps: RecordDeps): Promise<string | null> {
  const [newest] = await findSlots(key, deps)
  return newest?.stored?.data ?? null
}

/** Reads a record that must not be missed. @returns `null` if there is none, or if it has expired. */
export const readUserRecord = async (key: UserRecordKey, deps: RecordDeps): Promise<string | null> =>
  (await findUserRecord(key, deps)) ?? findUserRecord(key, deps)

/** Plans the writes that replace a record. Only one request of the user may do so at a time. */
export async function replaceUserRecord(
  key: UserRecordKey,
  { data, expires }: { readonly data: string; readonly expires: Date },
  deps: RecordDeps
): Promise<readonly FeatureWrite[]> {
  const [current, other] = await findSlots(key, deps)
  if (!current || !other) throw new TypeError('expected two tickets')
  const stored: Stored = { version: (current.stored?.version ?? 0) + 1, data }
  const ticket: Ticket = { ...other.key, userId: null, data: JSON.stringify(stored), tries: 0, expires }
  // An expired ticket would prevent a new one with the same key, and may not have expired for a process whose clock is behind.
  for (const slot of [current, other]) if (!slot.stored) await deps.tickets.consume(slot.key)
  return [
    ...(other.stored ? [{ method: 'consumeTicket', args: [other.key] } as const] : []),
    { method: 'createTicket', args: [ticket] },
    ...(current.stored ? [{ method: 'consumeTicket', args: [current.key] } as const] : [])
  ]
}

/** Plans the writes that delete a record. */
export async function removeUserRecord(key: UserRecordKey, deps: RecordDeps): Promise<readonly FeatureWrite[]> {
  const slots = await findSlots(key, deps)
  return slots.flatMap((slot) => (slot.stored ? [{ method: 'consumeTicket', args: [slot.key] } as const] : []))
}

/** Deletes a record of a user who is deleted. */
export async function deleteUserRecord(key: UserRecordKey, { tickets }: RecordDeps): Promise<void> {
  for (const slot of await getKeys(key)) await tickets.consume(slot)
}
