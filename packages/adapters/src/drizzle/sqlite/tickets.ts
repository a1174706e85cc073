import type { Ticket, TicketKey } from '@postern/core'
import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { TicketMethods } from '../../methods.ts'
import { type TicketRow, toTicketRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder, placeholders } from '../placeholder.ts'
import { tableColumns } from '../table-columns.ts'
import { bindKeys, keyParameters, lazyByCount, maxKeys, toChunks } from '../ticket-keys.ts'
import type { Connection } from './connection.ts'

const columns = placeholders(tableColumns.tickets.columns)

/** The ticket that a replacement expects. */
const expected = {
  userId: placeholder('expected userId'),
  data: placeholder('expected data'),
  tries: placeholder('expected tries'),
  expires: placeholder('expected expires')
}

/** The synchronous parts of the methods that a transaction may contain. */
export function ticketOperations(connection: Connection) {
  const bind = createEncode(connection.tables.posternTickets)
  const statements = lazy(() => prepareChanges(connection))
  return {
    createTicket: (ticket: Ticket): void => void statements().insert.run(bind(toTicketRow(ticket))),
    putTicket: (ticket: Ticket, before: Ticket | null): boolean => {
      const row = bind(toTicketRow(ticket))
      if (!before) return statements().insertNew.run(row).changes > 0
      const { userId, data, tries, expires } = bind(toTicketRow(before))
      const read = { 'expected userId': userId, 'expected data': data, 'expected tries': tries }
      return statements().replace.run({ ...row, ...read, 'expected expires': expires }).changes > 0
    },
    consumeTicket: ({ kind, id }: TicketKey): TicketRow | null => statements().delete.all({ kind, id })[0] ?? null,
    deleteTickets: (userId: string, kind?: string): void =>
      void statements().deleteByUser.run({ userId, kind: kind ?? null })
  }
}

/** The methods for tickets. */
export function ticketMethods(
  connection: Connection
): Pick<TicketMethods, 'readTicket' | 'readTickets' | 'countTry' | 'listDueTickets'> {
  const { client, db, tables, read, write } = connection
  const { posternTickets: tickets } = tables
  const byKey = lazy(() => db.select().from(tickets).where(isKey(tables)).prepare())
  const byKeys = lazyByCount((count) => prepareByKeys(connection, count))
  const readKeys = (keys: readonly TicketKey[]): readonly TicketRow[] => byKeys(keys.length).all(bindKeys(keys))
  // SQLite limits the depth of an expression to 1000. The transaction reads all chunks as at one moment.
  const readChunks = (keys: readonly TicketKey[]): readonly TicketRow[] =>
    client.transaction(() => toChunks(keys).flatMap(readKeys))()
  const count = lazy(() =>
    db
      .update(tickets)
      .set({ tries: sql`${tickets.tries} + 1` })
      .where(isKey(tables))
      .returning({ tries: tickets.tries })
      .prepare()
  )
  const due = lazy(() =>
    db
      .select()
      .from(tickets)
      .where(and(eq(tickets.kind, columns.kind), lte(tickets.dueAt, placeholder('now'))))
      .orderBy(asc(tickets.dueAt))
      .limit(sql.placeholder('max'))
      .prepare()
  )
  return {
    readTicket: ({ kind, id }) => read(() => byKey().get({ kind, id }) ?? null),
    readTickets: (keys) =>
      keys.length === 0 ? [] : read(() => (keys.length > maxKeys ? readChunks(keys) : readKeys(keys))),
    countTry: ({ kind, id }) => write(() => count().all({ kind, id })[0]?.tries ?? null),
    listDueTickets: (kind, now, max) => read(() => due().all({ kind, now: now.getTime(), max }))
  }
}

function prepareChanges({ db, tables }: Connection) {
  const { posternTickets: tickets } = tables
  const { userId, data, tries, expires, dueAt } = columns
  const isExpected = and(
    sql`${tickets.userId} is ${expected.userId}`,
    eq(tickets.data, expected.data),
    eq(tickets.tries, expected.tries),
    eq(tickets.expires, expected.expires)
  )
  const isOfKind = or(isNull(columns.kind), eq(tickets.kind, columns.kind))
  return {
    insert: db.insert(tickets).values(columns).prepare(),
    insertNew: db.insert(tickets).values(columns).onConflictDoNothing().prepare(),
    replace: db
      .update(tickets)
      .set({ userId, data, tries, expires, dueAt })
      .where(and(isKey(tables), isExpected))
      .prepare(),
    delete: db.delete(tickets).where(isKey(tables)).returning().prepare(),
    deleteByUser: db
      .delete(tickets)
      .where(and(eq(tickets.userId, columns.userId), isOfKind))
      .prepare()
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
    .prepare()
}

function isKey({ posternTickets: tickets }: Connection['tables']) {
  return and(eq(tickets.kind, columns.kind), eq(tickets.id, columns.id))
}
