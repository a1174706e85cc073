import type { EventRecord } from '@postern/core/feature'

const types: ReadonlySet<string> = new Set(['impersonation-start', 'impersonation-end'])

/**
 * Removes what the user must not learn about who impersonated them: the address, the browser and the session of the
 * administrator, and the reason, which is for the records of the operator.
 */
export function hideActor(event: EventRecord): EventRecord {
  if (!types.has(event.type)) return event
  const data = JSON.stringify({ outcome: 'success', actor: 'administrator' })
  return { ...event, ip: null, userAgent: null, requestId: null, data }
}
