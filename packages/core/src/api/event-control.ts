import { type EventListOptions, type EventPage, parseEventCursor, toEventCursor } from '../adapter/event-record.ts'
import { assertShape, assertTexts } from '../config/assert-arguments.ts'
import type { Services } from '../config/config.ts'
import { AccountError } from '../errors/account-error.ts'

/** Reads security events: those of features, and of the audit log. */
export interface EventControl {
  /**
   * Lists security events, the newest first. An option that is `undefined` is a `TypeError`: otherwise a missing user id
   * would list the events of every user.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE` if the adapter does not store events
   * @throws TypeError if an option is invalid
   */
  list(options?: EventListOptions): Promise<EventPage>
}

const shape = { userId: 'string', type: 'string', before: 'string', limit: { min: 1, max: 500 } } as const

const defaultLimit = 100

/** Creates the {@link EventControl} of an instance. */
export function eventControl({ store }: Services): EventControl {
  return {
    list: async (options = {}) => {
      assertShape('events.list', options, shape)
      const { limit = defaultLimit, before, ...selected } = options
      assertTexts('events.list', { ...selected, ...('before' in options && { before }) })
      if (!store?.events) throw new AccountError('ADAPTER_INCOMPLETE', 'expected an adapter with listEvents')
      const position = before === undefined ? undefined : parseEventCursor(before)
      if (position === null) throw new TypeError('events.list: expected before to be the value next of a page')
      const found = await store.events.list({ ...selected, before: position, limit: limit + 1 })
      const events = found.slice(0, limit)
      const last = events.at(-1)
      return { events, next: found.length > limit && last ? toEventCursor(last) : null }
    }
  }
}
