import type { FeatureContext, FeatureWrite, TicketKey } from '@postern/core/feature'
import { dayLength, type ScheduledDeletion } from './scheduled-deletion.ts'

// Tickets are found by their keys alone. So the deletions of a day have tickets with the numbers 0, 1, 2, …: the next number
// is free, its ticket can be created once, and they are read up to the first number without a ticket.

const kind = 'deletion-due'

/** Days for which entries are found after their time, if no process runs. */
export const maxDays = 180

/** A deletion of a day. The ticket of its user decides whether the account is deleted: an entry outlives a cancellation. */
export type QueueEntry = Pick<ScheduledDeletion, 'userId' | 'deleteAt'>

/** The entries of a day. */
export interface QueueDay {
  readonly entries: readonly QueueEntry[]
  /** The number of tickets: those that another application has encrypted cannot be read. */
  readonly count: number
}

type QueueDeps = Pick<FeatureContext, 'tickets'>

/** @returns The day of a time, in days since 1970. */
export const toDay = (time: number): number => Math.floor(time / dayLength)

const toKey = (day: number, index: number): TicketKey => ({ kind, id: `${day} ${index}` })

/** Whether a number is used. A ticket without its secret cannot be read, but its tries are counted. */
const exists = async (key: TicketKey, { tickets }: QueueDeps): Promise<boolean> =>
  (await tickets.read(key)) !== null || (await tickets.countTry(key)) !== null

/** Finds the first number of a day that is free: another process may use it meanwhile. */
export async function findFreeIndex(day: number, { tickets }: QueueDeps): Promise<number> {
  const isUsed = (index: number): Promise<boolean> => exists(toKey(day, index), { tickets })
  let [first, end] = [0, 1]
  while (await isUsed(end - 1)) [first, end] = [end, end * 2]
  while (first < end - 1) {
    const middle = (first + end - 1) >> 1
    if (await isUsed(middle)) first = middle + 1
    else end = middle + 1
  }
  return first
}

/** The write that adds an entry. It fails if the number is used. */
export function createEntry({ userId, deleteAt }: QueueEntry, index: number): FeatureWrite {
  const expires = new Date(deleteAt + (maxDays + 1) * dayLength)
  const data = JSON.stringify({ userId, deleteAt })
  return { method: 'createTicket', args: [{ ...toKey(toDay(deleteAt), index), userId: null, data, tries: 0, expires }] }
}

/** Reads the entries of a day. */
export async function readDay(day: number, { tickets }: QueueDeps): Promise<QueueDay> {
  const entries: QueueEntry[] = []
  for (let index = 0; ; index++) {
    const key = toKey(day, index)
    const ticket = await tickets.read(key)
    if (ticket) entries.push(JSON.parse(ticket.data))
    // Without its secret, a ticket cannot be read, but others may follow it.
    else if ((await tickets.countTry(key)) === null) return { entries, count: index }
  }
}

/** Deletes the tickets of a day, the last one first: others are found if the process ends meanwhile. */
export async function deleteDay(day: number, { entries, count }: QueueDay, { tickets }: QueueDeps): Promise<void> {
  if (entries.length < count) return
  for (let index = count - 1; index >= 0; index--) await tickets.consume(toKey(day, index))
}
