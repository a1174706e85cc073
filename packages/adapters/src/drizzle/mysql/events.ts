import type { EventQuery } from '@postern/core'
import { and, desc, lt, lte, or } from 'drizzle-orm'
import type { EventMethods } from '../../methods.ts'
import { toEventRow } from '../../rows.ts'
import type { Access, Connection } from './connection.ts'

/** The methods for events. */
export function eventMethods(connection: Connection): EventMethods {
  const { db, tables, fit, retryIdempotent, runOnce } = connection
  const { posternEvents: events } = tables
  return {
    addEvents: async (added) => {
      const [first] = added
      if (!first) return
      const insert = async () => {
        await db.insert(events).values(added.map((event) => fit(events, toEventRow(event))))
        return true
      }
      // One statement writes all events, so the first one shows whether it took effect.
      await runOnce(insert, async () => (await hasEvent(connection, first.id)) || null)
    },
    listEvents: (query) =>
      retryIdempotent(() =>
        db
          .select()
          .from(events)
          .where(isSelected(connection, query))
          .orderBy(desc(events.time), desc(events.id))
          .limit(query.limit)
      )
  }
}

/** Returns the function that checks whether an event with an id exists. */
export function eventLookUp(connection: Access): (id: string) => Promise<boolean> {
  return (id) => connection.retryIdempotent(() => hasEvent(connection, id))
}

async function hasEvent({ db, tables, isExactly }: Connection, id: string): Promise<boolean> {
  const { posternEvents: events } = tables
  return (await db.select({ id: events.id }).from(events).where(isExactly(events.id, id))).length > 0
}

function isSelected({ tables, isExactly }: Connection, { userId, type, before }: EventQuery) {
  const { posternEvents: events } = tables
  return and(
    userId === undefined ? undefined : isExactly(events.userId, userId),
    type === undefined ? undefined : isExactly(events.type, type),
    before && and(lte(events.time, before.time), or(lt(events.time, before.time), lt(events.id, before.id)))
  )
}
