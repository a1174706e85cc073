import type { Ticket } from '@postern/core'
import { and, asc, eq, isNull, lte, or } from 'drizzle-orm'
import type { TicketMethods } from '../../methods.ts'
import { isSameTicket, resolvePut, toTicketRow } from '../../rows.ts'
import { bindKeys, keyParameters, lazyByCount } from '../ticket-keys.ts'
import { createFind, insertOnce, isUndone, type ServerConnection } from './connection.ts'
import { isKey } from './statements.ts'

/** The methods for tickets. */
export function ticketMethods(connection: ServerConnection): TicketMethods {
  const { tables, statements, retryIdempotent, runOnce } = connection
  const { posternTickets: tickets } = tables
  const { isExactly } = statements
  const key = { kind: tickets.kind, id: tickets.id }
  const find = createFind(connection, tickets, key)
  const increment = statements.increment(tickets, 'tries', key)
  const take = statements.take(tickets, key)
  const byKeys = lazyByCount((count) =>
    statements.prepare(tickets, () =>
      or(...keyParameters(count).map(({ kind, id }) => isKey(isExactly, { [kind]: tickets.kind, [id]: tickets.id })))
    )
  )
  return {
    createTicket: (ticket) => insertOnce(connection, tickets, toTicketRow(ticket), { find, isSame: isSameTicket }),
    readTicket: (key) => retryIdempotent(() => find(key)),
    readTickets: async (keys) => (keys.length === 0 ? [] : retryIdempotent(() => byKeys(keys.length)(bindKeys(keys)))),
    // After a lost connection the attempt may be counted twice, but is never lost.
    countTry: ({ kind, id }) => retryIdempotent(() => increment({ kind, id })),
    putTicket: (ticket, expected) =>
      runOnce(
        () => put(connection, ticket, expected),
        async (error) => resolvePut(await find(ticket), [ticket, expected], error)
      ),
    listDueTickets: (kind, now, max) => {
      const where = and(isExactly(tickets.kind, kind), lte(tickets.dueAt, now))
      return retryIdempotent(() => statements.select(tickets, { where, orderBy: [asc(tickets.dueAt)], limit: max }))
    },
    consumeTicket: ({ kind, id }) =>
      runOnce(
        () => take({ kind, id }),
        isUndone(() => find({ kind, id }))
      ),
    deleteTickets: (userId, kind) => {
      const isOfKind = kind === undefined ? undefined : isExactly(tickets.kind, kind)
      return retryIdempotent(() => statements.delete(tickets, and(isExactly(tickets.userId, userId), isOfKind)))
    }
  }
}

/** Inserts a ticket, or replaces an unchanged one. */
async function put({ tables, statements, fit }: ServerConnection, ticket: Ticket, expected: Ticket | null) {
  const { posternTickets: tickets } = tables
  const row = fit(tickets, toTicketRow(ticket))
  if (!expected) return statements.insertNew(tickets, row)
  const { kind, id, ...changes } = row
  const { isExactly, hasText } = statements
  const isUnchanged = and(
    expected.userId === null ? isNull(tickets.userId) : isExactly(tickets.userId, expected.userId),
    hasText(tickets.data, expected.data),
    eq(tickets.tries, expected.tries),
    eq(tickets.expires, expected.expires)
  )
  const isTicket = isKey(isExactly, { kind: tickets.kind, id: tickets.id }, { kind, id })
  return (await statements.update(tickets, changes, and(isTicket, isUnchanged))) === 1
}
