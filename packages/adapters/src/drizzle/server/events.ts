import { and, desc, lt, lte, or } from 'drizzle-orm'
import type { EventMethods } from '../../methods.ts'
import { toEventRow } from '../../rows.ts'
import type { ServerConnection } from './connection.ts'

/** The methods for events. */
export function eventMethods(connection: ServerConnection): EventMethods {
  const { tables, statements, fit, retryIdempotent, runOnce } = connection
  const { posternEvents: events } = tables
  const { isExactly } = statements
  return {
    addEvents: async (added) => {
      const [first] = added
      if (!first) return
      const insert = async () => {
        await statements.insert(events, ...added.map((event) => fit(events, toEventRow(event))))
        return true
      }
      // One statement writes all events, so the first one shows whether it took effect.
      await runOnce(insert, async () => (await hasEvent(connection, first.id)) || null)
    },
    listEvents: ({ userId, type, before, limit }) => {
      const where = and(
        userId === undefined ? undefined : isExactly(events.userId, userId),
        type === undefined ? undefined : isExactly(events.type, type),
        before && and(lte(events.time, before.time), or(lt(events.time, before.time), lt(events.id, before.id)))
      )
      const orderBy = [desc(events.time), desc(events.id)]
      return retryIdempotent(() => statements.select(events, { where, orderBy, limit }))
    }
  }
}

/** Returns the function that checks whether an event with an id exists. */
export function eventLookUp(connection: ServerConnection): (id: string) => Promise<boolean> {
  return (id) => connection.retryIdempotent(() => hasEvent(connection, id))
}

async function hasEvent({ tables: { posternEvents: events }, statements }: ServerConnection, id: string) {
  const where = statements.isExactly(events.id, id)
  return (await statements.selectFields(events, { id: events.id }, { where })).length > 0
}
