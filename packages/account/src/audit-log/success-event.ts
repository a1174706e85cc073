import { type EventRecord, type FeatureContext, type SecurityEvent, securityEventTypes } from '@postern/core/feature'
import type { StoredDetails } from './audit-record.ts'

/** Creates the record of a change, which is written in its transaction. */
export function createSuccessEvent(event: SecurityEvent, context: FeatureContext): EventRecord {
  const { type, time, userId, sessionId, actor, reason, request, account, isNewUser } = event
  const details: StoredDetails = {
    outcome: 'success',
    actor: request && !actor ? 'user' : securityEventTypes[type].actor,
    ...(isNewUser && { isNewUser }),
    ...(actor && { impersonation: { ...actor, ...(reason !== null && { reason }) } })
  }
  const provider = account?.provider ?? null
  const created = context.createEvent(type, { userId, sessionId, request, provider, data: JSON.stringify(details) })
  return { ...created, time }
}
