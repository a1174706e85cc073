import type { EventRecord, Factor, FactorKey, Ticket, TicketKey, VerificationToken } from '@postern/core'
import { isSameFactor, isSameTicket, resolveFactorUpdate, resolvePut } from '../rows.ts'
import { eventLookUp } from './operations/events.ts'
import { factorQueries } from './operations/factors.ts'
import { ticketQueries } from './operations/tickets.ts'
import { verificationTokenQueries } from './operations/verification-tokens.ts'
import type { TableAccess } from './table-access.ts'

/**
 * Looks up the outcome of an operation that must take effect once, after its response was lost.
 *
 * @returns Its result; `null` if it had no effect and may run again.
 * @throws The error, if nothing shows what became of it.
 */
export type Recovery = (error: unknown, ...args: never[]) => Promise<unknown>

/** The recoveries of the operations that must take effect once, by their names. */
export function createRecoveries(access: TableAccess): Readonly<Record<string, Recovery>> {
  const { readTicket } = ticketQueries(access)
  const { getFactor } = factorQueries(access)
  const { getVerificationToken } = verificationTokenQueries(access)
  const hasEvent = eventLookUp(access)
  return {
    createTicket: async (_, ticket: Ticket) => (isSameTicket(await readTicket(ticket), ticket) ? ticket : null),
    putTicket: async (error, ticket: Ticket, expected: Ticket | null) =>
      resolvePut(await readTicket(ticket), [ticket, expected], error),
    consumeTicket: async (error, key: TicketKey) => requireUndone(await readTicket(key), error),
    createFactor: async (_, factor: Factor) => (isSameFactor(await getFactor(factor), factor) ? factor : null),
    updateFactor: async (error, factor: Factor, version: number) =>
      resolveFactorUpdate(await getFactor(factor), [factor, version], error),
    deleteFactor: async (error, key: FactorKey) => requireUndone(await getFactor(key), error),
    createVerificationToken: async (_, token: VerificationToken) => getVerificationToken(token),
    useVerificationToken: async (error, pair: VerificationToken) =>
      requireUndone(await getVerificationToken(pair), error),
    // One statement writes all events, so the first one shows whether it took effect.
    addEvents: async (_, [first]: readonly EventRecord[]) => (first && (await hasEvent(first.id))) || null
  }
}

/** A row that still exists was not deleted. If it no longer exists, it is unknown which caller deleted it. */
function requireUndone(row: object | null, error: unknown): null {
  if (row) return null
  throw error
}
