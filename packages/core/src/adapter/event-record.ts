/** Identifies an event, and its place in a list. */
export interface EventKey {
  time: Date
  /** Unique among all events; at most 255 ASCII characters. */
  id: string
}

/** Milliseconds since 1970, at the end of the year 9999: databases accept no later time. */
const maxTime = 253_402_300_799_999

/** The text of a place in a list of events, for a URL. */
export function toEventCursor({ time, id }: EventKey): string {
  return `${time.getTime()}.${id}`
}

/** @returns `null` if the text is no cursor. */
export function parseEventCursor(text: string): EventKey | null {
  const [, time = '', id = ''] = /^(\d{1,15})\.([\x21-\x7e]{1,255})$/.exec(text) ?? []
  return id === '' || Number(time) > maxTime ? null : { time: new Date(Number(time)), id }
}

/** A security event: stored once, and never changed until its user is deleted. */
export interface EventRecord extends EventKey {
  /** What happened, such as `sign-in`. */
  type: string
  /** The user that the event is about; `null` if there is none. The event outlives the user. */
  userId: string | null
  sessionId: string | null
  /** The IP address that the request came from. It and `userAgent` become `null` when the user is deleted. */
  ip: string | null
  userAgent: string | null
  /** The configured provider. */
  provider: string | null
  requestId: string | null
  /** Details, as text; never a secret. */
  data: string | null
}

/** Selects events: those of a user, of a type, or both. */
export interface EventQuery {
  readonly userId?: string | undefined
  readonly type?: string | undefined
  /** The last event of the previous page; the list continues with older ones. */
  readonly before?: EventKey | undefined
  /** The maximum number of events. */
  readonly limit: number
}

/** Selects security events. */
export interface EventListOptions {
  /** Events about this user. @defaultValue those of all users, and those about none */
  readonly userId?: string
  /** Events of this type. @defaultValue every type */
  readonly type?: string
  /** `next` of the previous page. */
  readonly before?: string
  /** The maximum number of events, up to 500. @defaultValue 100 */
  readonly limit?: number
}

/** A page of security events. */
export interface EventPage {
  /** The newest first. */
  readonly events: readonly EventRecord[]
  /** Selects the next page, with older events; `null` on the last one. */
  readonly next: string | null
}
