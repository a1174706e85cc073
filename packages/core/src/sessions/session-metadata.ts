import type { AdapterSession } from '../adapter/adapter.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { getHeader, type RequestInfo } from '../http/request.ts'
import type { AccountTokens } from '../model/account.ts'
import {
  type Actor,
  type Authentication,
  parseSeconds,
  parseStoredAuthentication,
  toStoredAuthentication
} from '../model/authentication.ts'
import { isObject } from '../model/json-object.ts'
import type { Logger } from '../model/logger.ts'
import { parseSessionClaims, type SessionClaims } from '../model/session-claims.ts'
import { isStorable } from '../model/storable-text.ts'
import { sha256 } from '../tokens/hash.ts'
import { decodeJws } from '../tokens/jws.ts'
import type { ClientInfo, NewSession } from './strategy.ts'

export const unknownClient: ClientInfo = { userAgent: null, address: null }

/** The maximum length of a stored User-Agent header; no browser's is longer. */
const maxUserAgentLength = 512

export function getClientInfo(request: Pick<RequestInfo, 'client' | 'headers'>): ClientInfo {
  return { userAgent: getHeader(request, 'user-agent')?.slice(0, maxUserAgentLength) || null, address: request.client }
}

/** A sign-in that a session depends on: the one that began it, or one that linked an account within it. */
export interface SessionOrigin {
  /** `null` if it was not recorded, like the id of the session at the provider. */
  readonly provider: string | null
  readonly providerSessionId: string | null
}

/** The fields of a new session. */
type Begun = Pick<SessionRecord, 'id' | 'userId' | 'sessionToken' | 'expires'>

/** Creates the record of a new session. */
export function createSessionRecord(
  begun: Begun,
  { account, clientInfo, authentication, claims, continues, impersonation }: NewSession,
  now: number
): SessionRecord {
  const { userAgent, address } = clientInfo
  // An impersonation depends on no provider, and ends with every sign-in of the user that is ended.
  const own = impersonation
    ? { provider: null, providerSessionId: null }
    : { provider: account.provider, providerSessionId: getProviderSessionId(account) }
  const [first = own, ...others] = continues ? joinOrigins(continues.record, own) : [own]
  return {
    ...begun,
    ...first,
    userAgent,
    address,
    createdAt: new Date(now),
    lastSeen: new Date(now),
    data: JSON.stringify({
      authentication: impersonation
        ? {}
        : { ...toStoredAuthentication(authentication), auth_time: authentication.authTime },
      ...(impersonation ? { actor: impersonation.actor } : {}),
      // A JWT session has its claims in the token.
      ...(claims && begun.sessionToken !== null ? { claims } : {}),
      ...(others.length > 0 ? { origins: others } : {})
    })
  }
}

/** Adds an account that was linked to what its session depends on. An origin that a provider can name by id comes first. */
function joinOrigins(record: SessionRecord | null, linked: SessionOrigin): readonly SessionOrigin[] {
  const earlier = record ? getOrigins(record) : [{ provider: null, providerSessionId: null }]
  const isLinked = ({ provider, providerSessionId }: SessionOrigin): boolean =>
    provider === linked.provider && providerSessionId === linked.providerSessionId
  const all = [...earlier.filter((origin) => !isLinked(origin)), linked]
  return all.toSorted((one, other) => Number(other.providerSessionId !== null) - Number(one.providerSessionId !== null))
}

/** The id of a stored session: a hash of the stored token, which cannot be reversed. */
export async function storedSessionId(sessionToken: string): Promise<string> {
  return sha256(sessionToken)
}

async function find(id: string, store: Store, logger: Logger): Promise<SessionRecord | null> {
  try {
    return (await store.getSessionRecords?.({ id }))?.[0] ?? null
  } catch (error) {
    logger.warn('SESSION_RECORD_ERROR', serializeError(error))
    return null
  }
}

/** @returns The record of a session whose token changes its stored form; `null` if it has none. */
export async function recordAs(
  sessionToken: string,
  before: string,
  store: Store,
  logger: Logger
): Promise<SessionRecord | null> {
  const record = await find(await storedSessionId(before), store, logger)
  return record && { ...record, id: await storedSessionId(sessionToken), sessionToken }
}

/** Records that a session was used; a failure is ignored. */
export async function touchRecord(
  { sessionToken, expires }: AdapterSession,
  store: Store,
  logger: Logger,
  now: number
): Promise<void> {
  if (!store.putSessionRecord || !store.getSessionRecords) return
  const record = await find(await storedSessionId(sessionToken), store, logger)
  if (record === null) return
  await store.putSessionRecord({ ...record, lastSeen: new Date(now), expires }).catch((error: unknown) => {
    logger.warn('SESSION_RECORD_ERROR', serializeError(error))
  })
}

/** Deletes the record of an ended session. A failure is ignored, because the record has no effect. */
export async function dropRecord(
  id: string,
  { store, logger }: { readonly store: Pick<Store, 'deleteSessionRecord'> | null; readonly logger: Logger }
): Promise<void> {
  await store?.deleteSessionRecord?.(id).catch((error: unknown) => {
    logger.warn('SESSION_RECORD_ERROR', serializeError(error))
  })
}

function parseData({ data }: SessionRecord): Readonly<Record<string, unknown>> {
  const stored: unknown = data ? JSON.parse(data) : null
  return isObject(stored) ? stored : {}
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** @returns Every sign-in that the session of a record depends on, at least one. */
export function getOrigins(record: SessionRecord): readonly SessionOrigin[] {
  const { provider, providerSessionId } = record
  const { origins } = parseData(record)
  const others = Array.isArray(origins) ? origins.filter(isObject) : []
  return [
    { provider, providerSessionId },
    ...others.map((origin) => ({
      provider: textOrNull(origin['provider']),
      providerSessionId: textOrNull(origin['providerSessionId'])
    }))
  ]
}

/** @returns The claims of features in a record; `null` if there are none. */
export function getRecordClaims(record: SessionRecord): SessionClaims | null {
  return parseSessionClaims(parseData(record)['claims'])
}

/** @returns The user who impersonates the user of a record; `null` if that user signed in. */
export function getRecordActor(record: SessionRecord): Actor | null {
  const { actor } = parseData(record)
  const userId = isObject(actor) ? textOrNull(actor['userId']) : null
  return userId === null ? null : { userId }
}

/** @returns How the user of a record was authenticated; what was not recorded is unknown. */
export function getRecordAuthentication(record: SessionRecord): Authentication {
  const { id: sessionId, userId } = record
  const stored = parseData(record)['authentication']
  const seconds = isObject(stored) ? parseSeconds(stored['auth_time'], Number.MAX_SAFE_INTEGER) : null
  const authTime = seconds === null ? null : new Date(seconds * 1000)
  return parseStoredAuthentication(stored, { userId, actor: getRecordActor(record), sessionId, authTime })
}

/** The maximum length of a `sid`; a longer one could not be looked up. */
const maxProviderSessionLength = 255

/**
 * The provider's id of the session that an account signed in with.
 *
 * @returns The claim `sid` of the ID Token, which was verified at sign-in; `null` if there is none that could be looked up.
 * @see OpenID Connect Back-Channel Logout 1.0 §2.1
 */
export function getProviderSessionId({ id_token }: AccountTokens): string | null {
  const sid = typeof id_token === 'string' ? decodeJws(id_token)?.claims['sid'] : null
  return typeof sid === 'string' && sid !== '' && sid.length <= maxProviderSessionLength && isStorable(sid) ? sid : null
}
