import type { AccountEvidenceMethods, TicketMethods } from '../methods.ts'
import type { createOperations } from './operations.ts'
import { type Store, ticketKey } from './store.ts'

type Operations = ReturnType<typeof createOperations>

/** The methods for tickets. */
export function ticketMethods(
  { tickets }: Store,
  { createTicket, putTicket, consumeTicket, deleteTickets }: Operations
): TicketMethods {
  return {
    createTicket: async (ticket) => createTicket(ticket),
    readTicket: async (key) => tickets.get(ticketKey(key)),
    readTickets: async (keys) => [...new Set(keys.map(ticketKey))].flatMap((key) => tickets.get(key) ?? []),
    countTry: async (key) => {
      const ticket = tickets.get(ticketKey(key))
      return ticket && tickets.replace({ ...ticket, tries: ticket.tries + 1 }).tries
    },
    consumeTicket: async (key) => consumeTicket(key),
    putTicket: async (ticket, expected) => putTicket(ticket, expected),
    listDueTickets: async (kind, now, max) =>
      tickets
        .filter((ticket) => ticket.kind === kind && ticket.dueAt !== null && ticket.dueAt <= now)
        .sort((one, other) => Number(one.dueAt) - Number(other.dueAt))
        .slice(0, max),
    deleteTickets: async (userId, kind) => deleteTickets(userId, kind)
  }
}

/** The methods for evidence of accounts. */
export function accountEvidenceMethods(
  { evidence }: Store,
  { putAccountEvidence }: Operations
): AccountEvidenceMethods {
  return {
    putAccountEvidence: async (proof) => putAccountEvidence(proof),
    getAccountEvidence: async (userId) => evidence.filter((proof) => proof.userId === userId)
  }
}
