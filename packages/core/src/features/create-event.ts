import type { EventRecord } from '../adapter/event-record.ts'
import { toDisplayText } from '../model/display-text.ts'
import type { Runtime } from '../model/runtime.ts'
import { getClientInfo, unknownClient } from '../sessions/session-metadata.ts'
import { randomHex } from '../tokens/random.ts'
import type { NewEvent } from './feature.ts'

/** Creates the record of an event that happens now. */
export function createEvent(
  type: string,
  { userId, request, sessionId = null, provider = null, data = null }: NewEvent,
  { now, randomBytes }: Pick<Runtime, 'now' | 'randomBytes'>
): EventRecord {
  const { address, userAgent } = request ? getClientInfo(request) : unknownClient
  // Headers come from anyone: a line of a log must not be forged with them, and rows must not fill the disk.
  const printable = (text: string | null | undefined, max: number): string | null =>
    toDisplayText((text ?? '').slice(0, max)) || null
  return {
    id: randomHex(randomBytes, 16),
    time: new Date(now()),
    type,
    userId,
    sessionId,
    ip: printable(address, 64),
    userAgent: printable(userAgent, 512),
    provider,
    requestId: printable(request?.id, 128),
    data
  }
}
