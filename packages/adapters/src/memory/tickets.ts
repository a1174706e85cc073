import type { AccountEvidenceMethods, TicketMethods } from '../methods.ts'
import { type Store, ticketKey } from './store.ts'

/** The methods for tickets. */
export function ticketMethods({
  tickets
}: Store): Pick<TicketMethods, 'readTicket' | 'readTickets' | 'countTry' | 'listDueTickets'> {
  return {
    readTicket: async (key) => tickets.get(ticketKey(key)),
    readTickets: async (keys) => [...new Set(keys.map(ticketKey))].flatMap((key) => tickets.get(key) ?? []),
    countTry: async (key) => {
      const ticket = tickets.get(ticketKey(key))
      return ticket && tickets.replace({ ...ticket, tries: ticket.tries + 1 }).tries
    },
    listDueTickets: async (kind, now, max) =>
      tickets
        .filter((ticket) => ticket.kind === kind && ticket.dueAt !== null && ticket.dueAt <= now)
        .sort((one, other) => Number(one.dueAt) - Number(other.dueAt))
        .slice(0, max)
  }
}

/** The methods for evidence of accounts. */
export function accountEvidenceMethods({ evidence }: Store): Pick<AccountEvidenceMethods, 'getAccountEvidence'> {
  return {
    getAccountEvidence: async (userId) => evidence.filter((proof) => proof.userId === userId)
  }
}
