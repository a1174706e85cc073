import type { Ticket, TicketKey } from '@postern/core'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { TicketMethods } from '../../methods.ts'
import { type TicketRow, toTicketRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import { bindKeys, keyParameters, lazyByCount, maxKeys, toChunks } from '../ticket-keys.ts'
import type { Connection } from './connection.ts'

const columns = {
  kind: placeholder('kind'),
  id: placeholder('id'),
  userId: placeholder('userId'),
  data: placeholder('data'),
  tries: placeholder('tries'),
  expires: placeholder('expires')
}

/** The synchronous parts of the methods that a transaction may contain. */
export function ticketOperations(connection: Connection) {
  const bind = createEncode(connection.tables.posternTickets)
  const statements = lazy(() => prepareChanges(connection))
  return {
    createTicket: (ticket: Ticket): void => void statements().insert.run(bind(toTicketRow(ticket))),
    consumeTicket: ({ kind, id }: TicketKey): TicketRow | null => statements().delete.all({ kind, id })[0] ?? null,
    deleteTickets: (userId: string, kind?: string): void =>
      void statements().deleteByUser.run({ userId, kind: kind ?? null })
  }
}

/** The methods for tickets. */
export function ticketMethods(connection: Connection, operations: ReturnType<typeof ticketOperations>): TicketMethods {
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
  return {
    createTicket: (ticket) => write(() => operations.createTicket(ticket)),
    readTicket: ({ kind, id }) => read(() => byKey().get({ kind, id }) ?? null),
    readTickets: (keys) =>
      keys.length === 0 ? [] : read(() => (keys.length > maxKeys ? readChunks(keys) : readKeys(keys))),
    countTry: ({ kind, id }) => write(() => count().all({ kind, id })[0]?.tries ?? null),
    consumeTicket: (key) => write(() => operations.consumeTicket(key)),
    deleteTickets: (userId, kind) => write(() => operations.deleteTickets(userId, kind))
  }
}

function prepareChanges({ db, tables }: Connection) {
  const { posternTickets: tickets } = tables
  const isOfKind = or(isNull(columns.kind), eq(tickets.kind, columns.kind))
  return {
    insert: db.insert(tickets).values(columns).prepare(),
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
