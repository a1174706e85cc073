import type { EventRecord } from './event-record.ts'

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
