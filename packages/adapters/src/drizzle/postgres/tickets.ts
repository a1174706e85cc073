import type { Ticket, TicketKey } from '@postern/core'
import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { TicketMethods } from '../../methods.ts'
import { isSameTicket, resolvePut, type TicketRow, toTicketRow } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import { bindKeys, keyParameters, lazyByCount } from '../ticket-keys.ts'
import type { Connection } from './connection.ts'

/** The methods for tickets. */
export function ticketMethods(connection: Connection): TicketMethods {
  const { db, tables, fit, retryIdempotent, runOnce } = connection
  const { posternTickets: tickets } = tables
  const statements = lazy(() => prepareStatements(connection))
  const byKeys = lazyByCount((count) => prepareByKeys(connection, count))
  const find = async ({ kind, id }: TicketKey): Promise<TicketRow | null> =>
    (await statements().byKey.execute({ kind, id }))[0] ?? null
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
    // After a lost connection the attempt may be counted twice, but is never lost.
    countTry: async ({ kind, id }) =>
      (await retryIdempotent(() => statements().count.execute({ kind, id })))[0]?.tries ?? null,
    putTicket: (ticket, expected) =>
      runOnce(
        () => putRow(connection, toTicketRow(ticket), expected),
        async (error) => resolvePut(await find(ticket), [ticket, expected], error)
      ),
    ...dueTicketMethods(connection),
    consumeTicket: ({ kind, id }) =>
      runOnce(
        async () => (await statements().delete.execute({ kind, id }))[0] ?? null,
        async (error) => {
          // If the ticket still exists, nothing was deleted. If it no longer exists, it is unknown which caller deleted it.
          if (await find({ kind, id })) return null
          throw error
        }
      ),
    deleteTickets: async (userId, kind) => {
      const isOfKind = kind === undefined ? undefined : eq(tickets.kind, kind)
      await retryIdempotent(() => db.delete(tickets).where(and(eq(tickets.userId, userId), isOfKind)))
    }
  }
}

/** The method for tickets that are to be handled at a time. */
function dueTicketMethods({ db, tables, retryIdempotent }: Connection): Pick<TicketMethods, 'listDueTickets'> {
  const { posternTickets: tickets } = tables
  return {
    listDueTickets: (kind, now, max) =>
      retryIdempotent(() =>
        db
          .select()
          .from(tickets)
          .where(and(eq(tickets.kind, kind), lte(tickets.dueAt, now)))
          .orderBy(asc(tickets.dueAt))
          .limit(max)
      )
  }
}

/** Inserts a ticket, or replaces an unchanged one. */
async function putRow(
  { db, tables: { posternTickets: tickets }, fit }: Connection,
  row: TicketRow,
  expected: Ticket | null
): Promise<boolean> {
  const { kind, id, ...changes } = fit(tickets, row)
  if (!expected) {
    const insert = db.insert(tickets).values({ kind, id, ...changes })
    return (await insert.onConflictDoNothing().returning({ id: tickets.id })).length > 0
  }
  const isUnchanged = and(
    expected.userId === null ? isNull(tickets.userId) : eq(tickets.userId, expected.userId),
    eq(tickets.data, expected.data),
    eq(tickets.tries, expected.tries),
    eq(tickets.expires, expected.expires)
  )
  const isKey = and(eq(tickets.kind, kind), eq(tickets.id, id))
  const update = db.update(tickets).set(changes).where(and(isKey, isUnchanged))
  return (await update.returning({ id: tickets.id })).length > 0
}

function prepareStatements({ db, tables }: Connection) {
  const { posternTickets: tickets } = tables
  const isKey = and(eq(tickets.kind, placeholder('kind')), eq(tickets.id, placeholder('id')))
  return {
    byKey: db.select().from(tickets).where(isKey).prepare(unnamedPlaceholder),
    count: db
      .update(tickets)
      .set({ tries: sql`${tickets.tries} + 1` })
      .where(isKey)
      .returning({ tries: tickets.tries })
      .prepare(unnamedPlaceholder),
    delete: db.delete(tickets).where(isKey).returning().prepare(unnamedPlaceholder)
  }
}

function prepareByKeys({ db, tables }: Connection, count: number) {
  const { posternTickets: tickets } = tables
  const areKeys = keyParameters(count).map(({ kind, id }) =>
    and(eq(tickets.kind, placeholder(kind)), eq(tickets.id, placeholder(id)))
  )
  return db
    .select()
    .from(tickets)
    .where(or(...areKeys))
    .prepare(unnamedPlaceholder)
}
