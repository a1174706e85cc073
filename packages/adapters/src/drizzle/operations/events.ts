import type { EventQuery, EventRecord } from '@postern/core'
import { and, desc, lt, lte, or } from 'drizzle-orm'
import { toEventRow } from '../../rows.ts'
import type { TableAccess } from '../table-access.ts'

/** Reads events. */
export function eventQueries({ tables: { posternEvents: events }, statements }: TableAccess) {
  const { isExactly } = statements
  return {
    listEvents: ({ userId, type, before, limit }: EventQuery) => {
      const where = and(
        userId === undefined ? undefined : isExactly(events.userId, userId),
        type === undefined ? undefined : isExactly(events.type, type),
        before && and(lte(events.time, before.time), or(lt(events.time, before.time), lt(events.id, before.id)))
      )
      return statements.select(events, { where, orderBy: [desc(events.time), desc(events.id)], limit })
    }
  }
}

/** Returns the function that checks whether an event with an id exists. */
export function eventLookUp({ tables: { posternEvents: events }, statements }: TableAccess) {
  const find = statements.find(events, { id: events.id })
  return async (id: string): Promise<boolean> => (await find({ id })) !== null
}

/** Writes events. */
export function eventOperations({ tables: { posternEvents: events }, statements }: TableAccess) {
  const insert = statements.insert(events)
  return {
    addEvents: ([first, ...others]: readonly EventRecord[]) =>
      first ? insert(toEventRow(first), ...others.map(toEventRow)) : null
  }
}
