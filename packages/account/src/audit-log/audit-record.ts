import type { EventActor, EventRecord, EventTypes } from '@postern/core/feature'

/** A record of the audit log. */
export interface AuditRecord {
  /** Unique among all records: a sink that receives a record again recognizes it. */
  readonly id: string
  readonly time: Date
  /** What happened, such as `sign-in`. */
  readonly type: string
  readonly outcome: 'success' | 'refused'
  /** The error code of a refusal; `null` for a success. */
  readonly reason: string | null
  readonly actor: EventActor
  /** The user whom it concerns; `null` if there is none, or if the user is unknown. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  /** The configured provider. */
  readonly provider: string | null
  /** Identifies the request in the log. */
  readonly requestId: string | null
  /** Details. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The stored details of a record of the audit log. */
export interface StoredDetails extends Readonly<Record<string, unknown>> {
  readonly outcome: 'success' | 'refused'
  readonly actor: EventActor
  readonly reason?: string
}

const actors: ReadonlySet<unknown> = new Set<EventActor>(['user', 'administrator', 'system'])
const isActor = (value: unknown): value is EventActor => actors.has(value)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the details of an event. Other features store a plain text, which becomes `value`. */
function parseDetails(data: string | null): Readonly<Record<string, unknown>> {
  if (data === null || data === '') return {}
  try {
    const parsed: unknown = JSON.parse(data)
    if (isRecord(parsed)) return parsed
  } catch {
    // A plain text.
  }
  return { value: data }
}

/** Converts a stored event. What it does not state itself, its type does. */
export function toAuditRecord({ data, ...event }: EventRecord, types: EventTypes): AuditRecord {
  const { outcome, actor, reason = null, ...details } = parseDetails(data)
  const type = Object.hasOwn(types, event.type) ? types[event.type] : undefined
  return {
    ...event,
    outcome: outcome === 'success' || outcome === 'refused' ? outcome : (type?.outcome ?? 'success'),
    reason: typeof reason === 'string' ? reason : null,
    actor: isActor(actor) ? actor : (type?.actor ?? (event.requestId === null ? 'system' : 'user')),
    data: details
  }
}
