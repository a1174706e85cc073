import type { Adapter } from '../../src/adapter/adapter.ts'
import type { TicketStore } from '../../src/adapter/store.ts'
import type { Ticket, TicketKey } from '../../src/adapter/ticket.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'
import { encrypt } from './encrypt.ts'

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** Tickets in memory, and what runs before each call that changes them. */
export function createTicketRows() {
  const rows = new Map<string, Ticket>()
  const keyOf = ({ kind, id }: TicketKey): string => `${kind} ${id}`
  const find = (key: TicketKey): Ticket | null => rows.get(keyOf(key)) ?? null
  const state: { before: () => Promise<unknown> } = { before: async () => undefined }
  const adapter: Adapter = {
    createTicket: async (ticket) => {
      await state.before()
      if (find(ticket)) throw new Error('the row exists')
      rows.set(keyOf(ticket), { ...ticket })
    },
    readTicket: async (key) => find(key),
    readTickets: async (keys) => keys.flatMap((key) => find(key) ?? []),
    countTry: async (key) => {
      await state.before()
      const ticket = find(key)
      if (ticket) rows.set(keyOf(key), { ...ticket, tries: ticket.tries + 1 })
      return ticket && ticket.tries + 1
    },
    consumeTicket: async (key) => {
      await state.before()
      const ticket = find(key)
      rows.delete(keyOf(key))
      return ticket
    },
    deleteTickets: async (userId, kind) => {
      for (const [key, ticket] of rows)
        if (ticket.userId === userId && (kind ?? ticket.kind) === ticket.kind) rows.delete(key)
    }
  }
  const open = (secret = 'a secret'): TicketStore => {
    const store = wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 })
    const { tickets } = encrypt(store, [secret])
    if (!tickets) throw new Error('expected tickets')
    return tickets
  }
  return { state, rows, adapter, tickets: open(), open }
}
