import type { AdapterSession } from '../adapter/adapter.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { describe } from '../errors/serialize-error.ts'
import type { AccountTokens } from '../model/account.ts'
import type { Logger } from '../model/logger.ts'
import { sha256 } from '../tokens/hash.ts'
import { decodeJws } from '../tokens/jws.ts'
import type { Admission } from './strategy.ts'

/** What is known of a session when it begins. */
type Begun = Pick<SessionRecord, 'id' | 'userId' | 'sessionToken' | 'expires'>

/** The record of a session that begins now. */
export function recordOf(begun: Begun, { account, visitor }: Admission, now: number): SessionRecord {
  const { userAgent, address } = visitor
  return {
    ...begun,
    provider: account.provider,
    providerSessionId: providerSessionOf(account),
    userAgent,
    address,
    createdAt: new Date(now),
    lastSeen: new Date(now)
  }
}

/** The id of a session in the store: it follows from what is stored, and nothing follows from it. */
export async function storedSessionId(sessionToken: string): Promise<string> {
  return sha256(sessionToken)
}

/** What records of stored sessions are kept with. */
interface RecordRules {
  readonly store: Store
  readonly logger: Logger
  readonly now: () => number
}

async function find(id: string, { store, logger }: RecordRules): Promise<SessionRecord | null> {
  try {
    return (await store.getSessionRecords?.({ id }))?.[0] ?? null
  } catch (error) {
    logger.warn('SESSION_RECORD_ERROR', describe(error))
    return null
  }
}

/** @returns The record of a session whose token is stored in another form from now on; `null` where it has none. */
export async function recordAs(
  sessionToken: string,
  before: string,
  rules: RecordRules
): Promise<SessionRecord | null> {
  const record = await find(await storedSessionId(before), rules)
  return record && { ...record, id: await storedSessionId(sessionToken), sessionToken }
}

/** Notes that a session was used; that it could not be noted ends nothing. */
export async function touchRecord({ sessionToken, expires }: AdapterSession, rules: RecordRules): Promise<void> {
  const { store, logger, now } = rules
  if (!store.putSessionRecord || !store.getSessionRecords) return
  const record = await find(await storedSessionId(sessionToken), rules)
  if (record === null) return
  await store.putSessionRecord({ ...record, lastSeen: new Date(now()), expires }).catch((error: unknown) => {
    logger.warn('SESSION_RECORD_ERROR', describe(error))
  })
}

/** Takes away the record of a session that counts no longer: it is only in the way, so a failure changes nothing. */
export async function dropRecord(
  id: string,
  { store, logger }: { readonly store: Store | null; readonly logger: Logger }
): Promise<void> {
  await store?.deleteSessionRecord?.(id).catch((error: unknown) => {
    logger.warn('SESSION_RECORD_ERROR', describe(error))
  })
}

/** Characters of a `sid`; a longer one could not be looked up. */
const longest = 255

/**
 * The provider's own name for the session that an account was signed in with.
 *
 * @returns The claim `sid` of the ID Token, which was verified when it came; `null` where there is none.
 * @see OpenID Connect Back-Channel Logout 1.0 §2.1
 */
export function providerSessionOf({ id_token }: AccountTokens): string | null {
  const sid = typeof id_token === 'string' ? decodeJws(id_token)?.claims['sid'] : null
  return typeof sid === 'string' && sid !== '' && sid.length <= longest ? sid : null
}
