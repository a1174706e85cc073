import type { EventKey, EventListOptions, EventPage } from '../adapter/event-record.ts'
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

/** Milliseconds since 1970, at the end of the year 9999: databases accept no later time. */
const maxTime = 253_402_300_799_999

const toCursor = ({ time, id }: EventKey): string => `${time.getTime()}.${id}`

/** @throws TypeError */
function parseCursor(text: string): EventKey {
  const [, time = '', id = ''] = /^(\d{1,15})\.([\x21-\x7e]{1,255})$/.exec(text) ?? []
  if (id === '' || Number(time) > maxTime)
    throw new TypeError('events.list: expected before to be the value next of a page')
  return { time: new Date(Number(time)), id }
}

/** Creates the {@link EventControl} of an instance. */
export function eventControl({ store }: Services): EventControl {
  return {
    list: async (options = {}) => {
      assertShape('events.list', options, shape)
      const { limit = defaultLimit, before, ...selected } = options
      assertTexts('events.list', { ...selected, ...('before' in options && { before }) })
      if (!store?.events) throw new AccountError('ADAPTER_INCOMPLETE', 'expected an adapter with listEvents')
      const position = before === undefined ? undefined : parseCursor(before)
      const found = await store.events.list({ ...selected, before: position, limit: limit + 1 })
      const events = found.slice(0, limit)
      const last = events.at(-1)
      return { events, next: found.length > limit && last ? toCursor(last) : null }
    }
  }
}
