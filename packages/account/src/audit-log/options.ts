import type { Shape } from '@postern/core/feature'
import type { AuditRecord } from './audit-record.ts'

/** What a sink receives in addition to the records. */
export interface SinkCall {
  /** Aborted after 10 s: the call then counts as failed, and the records are sent again. */
  readonly signal: AbortSignal
}

/** Sends records to another system. */
export type Sink = (records: readonly AuditRecord[], call: SinkCall) => unknown

/** The options of `auditLog()`. */
export interface AuditLogOptions {
  /**
   * Days for which events stay in the store, including those of other features. It replaces `constants.eventMaxAge`.
   * @defaultValue `constants.eventMaxAge`, which is 400 days
   */
  readonly keepDays?: number | undefined
  /**
   * Sends records to another system, in order of time, up to 500 at once, about a minute after they were written. Each record
   * is sent at least once: if it throws, or if the process ends meanwhile, the same records are sent again.
   * @defaultValue none
   */
  readonly sink?: Sink | undefined
}

export const schema: Shape = { keepDays: { min: 1, max: 36_500 }, sink: 'function' }
