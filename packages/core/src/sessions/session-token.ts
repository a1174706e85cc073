import type { Remembered } from '../hooks/session-lifetime.ts'
import { addTag, getTag, removeTag } from '../tokens/application-tag.ts'
import type { Impersonation } from './impersonation.ts'

/**
 * The token of a database session, `p1.<tag>.<secret>._<authTime>.!<actor's session>.<until>.<startedAt>~<lifetime>`: the secret,
 * and what is known without a query. The store only finds the complete text, so no part can be forged.
 */
export interface SessionToken {
  /** The tag of the application; `null` for a token of another library. */
  readonly tag: string | null
  readonly secret: string
  /** When the user authenticated. `null` without `startedAt`, as are the parts below. */
  readonly authTime: Date | null
  /** The session of the user who impersonates the user, and the latest end. */
  readonly impersonation: Pick<Impersonation, 'sessionId' | 'until'> | null
  /** When the session began; `null` if unknown, as for tokens of other libraries. */
  readonly startedAt: Date | null
  readonly remembered: Remembered
}

/** A number in base 36, as it is written. */
const number = '(0|[1-9a-z][0-9a-z]{0,8})'

const parts = new RegExp(`(?:\\._${number})?(?:\\.!([0-9a-f]{64})\\.${number})?\\.${number}(?:~${number})?$`)

function parseDate(seconds: string | undefined): Date | null {
  return seconds === undefined ? null : new Date(Number.parseInt(seconds, 36) * 1000)
}

const formatDate = (date: Date): string => Math.floor(date.getTime() / 1000).toString(36)

/** Reads any text: that of another library, or of the application's own function, may be nothing but a secret. */
export function parseSessionToken(text: string): SessionToken {
  const tag = getTag(text)
  const rest = removeTag(text)
  const found = parts.exec(rest)
  const [, authTime, sessionId, until = '', startedAt, remembered] = found ?? []
  return {
    tag,
    secret: found ? rest.slice(0, found.index) : rest,
    authTime: parseDate(authTime),
    impersonation: sessionId === undefined ? null : { sessionId, until: Number.parseInt(until, 36) },
    startedAt: parseDate(startedAt),
    remembered: remembered === undefined ? null : Number.parseInt(remembered, 36)
  }
}

/** Writes what {@link parseSessionToken} reads. */
export function formatSessionToken(token: SessionToken): string {
  const { tag, secret, authTime, impersonation, startedAt, remembered } = token
  const tagged = tag === null ? secret : addTag(secret, [tag])
  if (startedAt === null) return tagged
  const authenticated = authTime === null ? '' : `._${formatDate(authTime)}`
  const actor = impersonation === null ? '' : `.!${impersonation.sessionId}.${impersonation.until.toString(36)}`
  const lifetime = remembered === null ? '' : `~${remembered.toString(36)}`
  return `${tagged}${authenticated}${actor}.${formatDate(startedAt)}${lifetime}`
}

/** @returns A token whose creation time is known: random, a dot, seconds since 1970 in base 36. */
export function createSessionToken(secret: string, now: number): string {
  const unknown = { tag: null, authTime: null, impersonation: null, remembered: null }
  return formatSessionToken({ ...unknown, secret, startedAt: new Date(now) })
}
