import type { Adapter, EventKey, EventQuery } from '@postern/core'
import type { EventRow } from '../rows.ts'
import type { createOperations } from './operations.ts'
import type { Store } from './store.ts'
import { undoable } from './table.ts'

/** The methods for events. */
export function eventMethods(
  { journal, events }: Store,
  { addEvents }: ReturnType<typeof createOperations>
): Required<Pick<Adapter, 'addEvents' | 'listEvents' | 'deleteEvents'>> {
  return {
    addEvents: async (added) => {
      undoable(journal, () => {
        addEvents(added)
        return true
      })
    },
    listEvents: async (query) =>
      events
        .filter((event) => isSelected(event, query))
        .sort(newestFirst)
        .slice(0, query.limit),
    deleteEvents: async (before, limit) => {
      const old = events.filter(({ time }) => time < before).sort(newestFirst)
      const ids = new Set(old.slice(-limit).map(({ id }) => id))
      return limit > 0 ? events.drop(({ id }) => ids.has(id)) : 0
    }
  }
}

function isSelected(event: EventRow, { userId, type, before }: EventQuery): boolean {
  if (userId !== undefined && event.userId !== userId) return false
  if (type !== undefined && event.type !== type) return false
  return before === undefined || newestFirst(event, before) > 0
}

function newestFirst(one: EventKey, other: EventKey): number {
  const isLater = one.id < other.id ? 1 : -1
  return other.time.getTime() - one.time.getTime() || (one.id === other.id ? 0 : isLater)
}
