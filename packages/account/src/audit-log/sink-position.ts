import type { FeatureContext, TicketKey } from '@postern/core/feature'
import { replaceTicket } from '../put-ticket.ts'
import { ticketKinds } from '../ticket-kinds.ts'
import type { Position } from './event-reader.ts'

function parse(data: string): Position | null {
  const [, time = '', id = ''] = /^(\d+) ([\x21-\x7e]*)$/.exec(data) ?? []
  return time === '' ? null : { time: Number(time), id: id || null }
}

// The position of the sink is in a ticket. It outlives the events, so that the log can state that events were deleted before they
// were sent.

/** Applications with one store have a position each. */
const getKey = ({ applicationId }: FeatureContext): TicketKey => ({
  kind: ticketKinds.sinkPosition.name,
  id: encodeURIComponent(applicationId).slice(0, 200)
})

/** @returns The position; `null` if there is none, or if it can no longer be read. */
export async function readPosition(context: FeatureContext): Promise<Position | null> {
  const ticket = await context.tickets.read(getKey(context))
  return ticket && parse(ticket.data)
}

export async function writePosition({ time, id }: Position, context: FeatureContext): Promise<void> {
  const expires = new Date(context.now() + 2 * context.eventMaxAge * 1000)
  const data = `${time} ${id ?? ''}`
  await replaceTicket({ ...getKey(context), userId: null, data, tries: 0, expires }, context)
}
