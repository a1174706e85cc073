import type { TicketKey } from '@postern/core'
import type { TicketMethods } from '../../methods.ts'
import type { ticketQueries } from '../operations/tickets.ts'
import { maxKeys, toChunks } from '../ticket-keys.ts'
import type { Connection } from './connection.ts'

/** The method that reads many tickets. */
export function ticketMethods(
  { client, read }: Connection,
  { readTickets }: Pick<ReturnType<typeof ticketQueries>, 'readTickets'>
): Pick<TicketMethods, 'readTickets'> {
  // SQLite limits the depth of an expression to 1000. The transaction reads all chunks as at one moment.
  const readChunks = (keys: readonly TicketKey[]) =>
    client.transaction(() => toChunks(keys).map((chunk) => readTickets(chunk)))()
  return {
    readTickets: async (keys) =>
      keys.length > maxKeys
        ? (await Promise.all(await read(() => readChunks(keys)))).flat()
        : read(() => readTickets(keys))
  }
}
