import type { Ticket, TicketKey } from '@postern/core'
import { and, or, sql } from 'drizzle-orm'
import type { TicketMethods } from '../../methods.ts'
import { isSameTicket, type TicketRow, toTicketRow } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { bindKeys, keyParameters, lazyByCount } from '../ticket-keys.ts'
import { type Connection, getAffectedRows, getInsertId } from './connection.ts'

/** The methods for tickets. */
export function ticketMethods(connection: Connection): TicketMethods {
  const { db, tables, fit, isExactly, retryIdempotent, runOnce } = connection
  const { posternTickets: tickets } = tables
  const isKey = ({ kind, id }: TicketKey) => and(isExactly(tickets.kind, kind), isExactly(tickets.id, id))
  const byKey = lazy(() => prepareByKey(connection))
  const byKeys = lazyByCount((count) => prepareByKeys(connection, count))
  const find = async ({ kind, id }: TicketKey): Promise<TicketRow | null> =>
    (await byKey().execute({ kind, id }))[0] ?? null
  return {
    createTicket: (ticket: Ticket) => {
      const row = toTicketRow(ticket)
      return runOnce(
        async () => {
          await db.insert(tickets).values(fit(tickets, row))
          return row
        },
        async () => {
          const found = await find(row)
          return found && isSameTicket(found, row) ? found : null
        }
      )
    },
    readTicket: (key) => retryIdempotent(() => find(key)),
    readTickets: async (keys) =>
      keys.length === 0 ? [] : retryIdempotent(() => byKeys(keys.length).execute(bindKeys(keys))),
    // The server returns the new count as the last inserted id. After a lost connection the attempt may be counted
    // twice, but is never lost.
    countTry: (key) =>
      retryIdempotent(async () => {
        const result = await db
          .update(tickets)
          .set({ tries: sql`last_insert_id(${tickets.tries} + 1)` })
          .where(isKey(key))
        return getAffectedRows(result) === 1 ? getInsertId(result) : null
      }),
    consumeTicket: (key) =>
      runOnce(createConsume(connection, isKey(key)), async (error) => {
        // If the ticket still exists, nothing was deleted. If it no longer exists, it is unknown which caller deleted it.
        if (await find(key)) return null
        throw error
      }),
    deleteTickets: async (userId, kind) => {
      const isOfKind = kind === undefined ? undefined : isExactly(tickets.kind, kind)
      await retryIdempotent(() => db.delete(tickets).where(and(isExactly(tickets.userId, userId), isOfKind)))
    }
  }
}

/** Locks the row before deleting it, so that the returned ticket has every attempt that was counted. */
function createConsume({ tables, transaction }: Connection, isKey: ReturnType<typeof and>) {
  const { posternTickets: tickets } = tables
  return (): Promise<TicketRow | null> =>
    transaction(async (db) => {
      const [found] = await db.select().from(tickets).where(isKey).for('update')
      if (found) await db.delete(tickets).where(isKey)
      return found ?? null
    })
}

function prepareByKey({ db, tables, isExactly }: Connection) {
  const { posternTickets: tickets } = tables
  const [kind, id] = [sql.placeholder('kind'), sql.placeholder('id')]
  return db
    .select()
    .from(tickets)
    .where(and(isExactly(tickets.kind, kind), isExactly(tickets.id, id)))
    .prepare()
}

function prepareByKeys({ db, tables, isExactly }: Connection, count: number) {
  const { posternTickets: tickets } = tables
  const areKeys = keyParameters(count).map(({ kind, id }) =>
    and(isExactly(tickets.kind, sql.placeholder(kind)), isExactly(tickets.id, sql.placeholder(id)))
  )
  return db
    .select()
    .from(tickets)
    .where(or(...areKeys))
    .prepare()
}
