import type { Feature, FeatureContext } from '@postern/core/feature'
import { hideActor } from '../hide-actor.ts'
import { ticketNeeds } from '../needs.ts'
import { type AuditRecord, toAuditRecord } from './audit-record.ts'
import { eventTypes } from './event-types.ts'
import { type AuditLogOptions, schema } from './options.ts'
import { RefusalWriter } from './refusal-writer.ts'
import { SinkDelivery } from './sink-delivery.ts'
import { createSuccessEvent } from './success-event.ts'

declare module '@postern/core/feature' {
  interface FeatureApis {
    readonly 'audit-log': AuditLogApi
  }
}

/** Selects records. */
export interface AuditListOptions {
  /** Records about this user. @defaultValue those of all users, and those about none */
  readonly userId?: string
  /** Records of this type. @defaultValue every type */
  readonly type?: string
  /** `next` of the previous page. */
  readonly before?: string
  /** The maximum number of records, up to 500. @defaultValue 100 */
  readonly limit?: number
}

/** A page of records. */
export interface AuditPage {
  /** The newest first. */
  readonly records: readonly AuditRecord[]
  /** Selects the next page, with older records; `null` on the last one. */
  readonly next: string | null
}

/** `app.postern.features['audit-log']` */
export interface AuditLogApi {
  /**
   * Lists records, the newest first, as `app.postern.events.list` lists events.
   *
   * @throws TypeError if an option is invalid, also if it is `undefined`; AuthError `StoreUnavailable`
   */
  list(options?: AuditListOptions): Promise<AuditPage>
  /**
   * Stores the refusals that are in memory, and sends the sink what is due: for tests and scripts.
   *
   * @throws the error of the store, or of the sink
   */
  flush(): Promise<void>
}

const secondsPerDay = 86_400

/** The maximum number of events in the export of a user. */
const maxExported = 1000

function createApi(context: FeatureContext, writer: RefusalWriter, delivery: SinkDelivery | null): AuditLogApi {
  return {
    list: async (options = {}) => {
      const { events, next } = await context.postern.events.list(options)
      return { records: events.map((event) => toAuditRecord(event, context.eventTypes)), next }
    },
    flush: async () => {
      await writer.flush()
      await delivery?.deliver()
    }
  }
}

/** What a user may see of the events about them, in the export of their data. */
async function exportEvents(userId: string, context: FeatureContext): Promise<unknown> {
  const events = await context.events.list({ userId, limit: maxExported })
  return events.map((event) => toAuditRecord(hideActor(event), context.eventTypes))
}

/**
 * The audit log: records of every sign-in and change of an account, in the transaction of the change where the adapter
 * supports it, and of every refusal, in the background. `sink` sends them to another system.
 *
 * It is passed to `features`. Its API is `app.postern.features['audit-log']`.
 */
export function auditLog(options: AuditLogOptions = {}): Feature<AuditLogApi> {
  const { keepDays, sink } = options
  return {
    id: 'audit-log',
    options,
    schema,
    needs: ['addEvents', 'listEvents', 'deleteEvents', ...(sink ? ticketNeeds : [])],
    setup: (context) => {
      const writer = new RefusalWriter(context)
      const delivery = sink ? new SinkDelivery(context, sink) : null
      return {
        eventTypes,
        ...(keepDays === undefined ? {} : { eventMaxAge: keepDays * secondsPerDay }),
        onEvent: (event) => [{ method: 'addEvents', args: [[createSuccessEvent(event, context)]] }],
        onRefusal: (refusal) => writer.add(refusal),
        start: () => delivery?.start(),
        close: async () => {
          await writer.close()
          await delivery?.close()
        },
        onUserDelete: (userId) => writer.flushUser(userId),
        exportData: (userId) => exportEvents(userId, context),
        api: createApi(context, writer, delivery)
      }
    }
  }
}
