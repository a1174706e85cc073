import type { Ticket, TicketKey } from '@postern/core'
import { and, asc, lte, or, sql } from 'drizzle-orm'
import { toTicketRow } from '../../rows.ts'
import { isKey } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'
import { bindKeys, keyParameters, lazyByCount } from '../ticket-keys.ts'

/** Reads tickets. */
export function ticketQueries({ tables: { posternTickets: tickets }, statements }: TableAccess) {
  const { kind, id, dueAt } = tickets
  const { isExactly, prepare } = statements
  const find = statements.find(tickets, { kind, id })
  const byKeys = lazyByCount((count) =>
    prepare(tickets, () => {
      const areKeys = keyParameters(count).map((names) => isKey(isExactly, { [names.kind]: kind, [names.id]: id }))
      return { where: or(...areKeys) }
    })
  )
  const due = prepare(tickets, () => ({
    where: and(isKey(isExactly, { kind }), lte(dueAt, sql.param(sql.placeholder('now'), dueAt))),
    orderBy: [asc(dueAt)],
    limit: sql.placeholder('max')
  }))
  return {
    readTicket: ({ kind, id }: TicketKey) => find({ kind, id }),
    readTickets: (keys: readonly TicketKey[]) => (keys.length === 0 ? [] : byKeys(keys.length)(bindKeys(keys))),
    listDueTickets: (kind: string, now: Date, max: number) => due({ kind, now, max })
  }
}

/** Writes tickets. */
export function ticketOperations({ tables: { posternTickets: tickets }, statements }: TableAccess) {
  const { kind, id, userId, data, tries, expires } = tickets
  const insert = statements.insert(tickets)
  const insertNew = statements.insertNew(tickets)
  const replace = statements.replace(tickets, { kind, id }, { userId, data, tries, expires })
  const take = statements.take(tickets, { kind, id })
  const increment = statements.increment(tickets, 'tries', { kind, id })
  const [deleteAll, deleteKind] = [statements.delete(tickets, { userId }), statements.delete(tickets, { userId, kind })]
  return {
    createTicket: (ticket: Ticket) => insert(toTicketRow(ticket)),
    // After a lost connection the attempt may be counted twice, but is never lost.
    countTry: ({ kind, id }: TicketKey) => increment({ kind, id }),
    putTicket: (ticket: Ticket, expected: Ticket | null) =>
      expected ? replace(toTicketRow(ticket), toTicketRow(expected)) : insertNew(toTicketRow(ticket)),
    consumeTicket: ({ kind, id }: TicketKey) => take({ kind, id }),
    deleteTickets: (userId: string, kind?: string) =>
      kind === undefined ? deleteAll({ userId }) : deleteKind({ userId, kind })
  }
}
