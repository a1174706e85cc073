import type { Ticket, TicketKey } from '@postern/core'
import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { TicketMethods } from '../../methods.ts'
import { isSameTicket, resolvePut, type TicketRow, toTicketRow } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { bindKeys, keyParameters, lazyByCount } from '../ticket-keys.ts'
import { type Connection, getAffectedRows, getInsertId } from './connection.ts'
import { errorClassifier } from './driver-errors.ts'

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
    // After a lost connection the attempt may be counted twice, but is never lost.
    countTry: (key) => retryIdempotent(() => incrementTries(connection, isKey(key))),
    putTicket: (ticket, expected) =>
      runOnce(
        () => putRow(connection, toTicketRow(ticket), expected),
        async (error) => resolvePut(await find(ticket), [ticket, expected], error)
      ),
    ...dueTicketMethods(connection),
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

/** The method for tickets that are to be handled at a time. */
function dueTicketMethods({
  db,
  tables,
  isExactly,
  retryIdempotent
}: Connection): Pick<TicketMethods, 'listDueTickets'> {
  const { posternTickets: tickets } = tables
  return {
    listDueTickets: (kind, now, max) =>
      retryIdempotent(() =>
        db
          .select()
          .from(tickets)
          .where(and(isExactly(tickets.kind, kind), lte(tickets.dueAt, now)))
          .orderBy(asc(tickets.dueAt))
          .limit(max)
      )
  }
}

/** Inserts a ticket, or replaces an unchanged one. */
async function putRow(connection: Connection, row: TicketRow, expected: Ticket | null): Promise<boolean> {
  const { db, tables, fit, isExactly } = connection
  const { posternTickets: tickets } = tables
  const { kind, id, ...changes } = fit(tickets, row)
  if (!expected) return insertNew(connection, row)
  const isUnchanged = and(
    expected.userId === null ? isNull(tickets.userId) : isExactly(tickets.userId, expected.userId),
    sql`cast(${tickets.data} as binary) = cast(convert(${expected.data} using utf8mb4) as binary)`,
    eq(tickets.tries, expected.tries),
    eq(tickets.expires, expected.expires)
  )
  const isKey = and(isExactly(tickets.kind, kind), isExactly(tickets.id, id))
  const result = await db.update(tickets).set(changes).where(and(isKey, isUnchanged))
  return getAffectedRows(result) === 1
}

async function insertNew({ db, tables, fit }: Connection, row: TicketRow): Promise<boolean> {
  try {
    await db.insert(tables.posternTickets).values(fit(tables.posternTickets, row))
    return true
  } catch (error) {
    if (errorClassifier.isDuplicate(error)) return false
    throw error
  }
}

/** The server returns the new count as the last inserted id. */
async function incrementTries({ db, tables }: Connection, isKey: ReturnType<typeof and>): Promise<number | null> {
  const { posternTickets: tickets } = tables
  const result = await db
    .update(tickets)
    .set({ tries: sql`last_insert_id(${tickets.tries} + 1)` })
    .where(isKey)
  return getAffectedRows(result) === 1 ? getInsertId(result) : null
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
