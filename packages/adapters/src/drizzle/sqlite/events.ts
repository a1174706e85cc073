import type { EventQuery, EventRecord } from '@postern/core'
import { and, desc, eq, lt, lte, or } from 'drizzle-orm'
import type { EventMethods } from '../../methods.ts'
import { toEventRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholders } from '../placeholder.ts'
import { tableColumns } from '../table-columns.ts'
import type { Connection } from './connection.ts'

const columns = placeholders(tableColumns.events.columns)

/** The synchronous part of the method that a transaction may contain. */
export function eventOperations({ db, tables }: Connection) {
  const { posternEvents: events } = tables
  const bind = createEncode(events)
  const insert = lazy(() => db.insert(events).values(columns).prepare())
  return {
    addEvents: (added: readonly EventRecord[]): void => {
      for (const event of added) insert().run(bind(toEventRow(event)))
    }
  }
}

/** The methods for events. */
export function eventMethods({ db, tables, read }: Connection): Pick<EventMethods, 'listEvents'> {
  const { posternEvents: events } = tables
  return {
    listEvents: (query) =>
      read(() =>
        db
          .select()
          .from(events)
          .where(isSelected(tables, query))
          .orderBy(desc(events.time), desc(events.id))
          .limit(query.limit)
          .all()
      )
  }
}

function isSelected({ posternEvents: events }: Connection['tables'], { userId, type, before }: EventQuery) {
  return and(
    userId === undefined ? undefined : eq(events.userId, userId),
    type === undefined ? undefined : eq(events.type, type),
    before && and(lte(events.time, before.time), or(lt(events.time, before.time), lt(events.id, before.id)))
  )
}
