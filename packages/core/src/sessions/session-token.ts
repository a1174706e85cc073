import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { Remembered } from '../hooks/session-lifetime.ts'
import { chain, type MaybePromise } from '../model/awaitable.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import { addTag, getTag, removeTag } from '../tokens/application-tag.ts'
import { equalInConstantTime, keyedHash, keyedHashes } from '../tokens/hash.ts'
import type { KeyRing } from '../tokens/keys.ts'
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

/** How the store holds session tokens: hashed; hashed, with old plain rows accepted; or plain as in next-auth v4. */
export type SessionStorage = 'hashed' | 'both' | 'plain'

/** The prefix of stored forms. */
const mark = 'h1.'

/** @returns Whether a cookie contains the stored form of a token: such a value is never looked up. */
export function isStoredForm(token: string): boolean {
  return token.startsWith(mark)
}

/** @returns The stored form of a new token. */
export async function toStored(token: string, ring: KeyRing, storage: SessionStorage): Promise<string> {
  return storage === 'plain' ? token : mark + (await keyedHash(ring, token))
}

/** @returns Every stored form that this token may have, most likely first. */
export function storedForms(token: string, ring: KeyRing, storage: SessionStorage): MaybePromise<readonly string[]> {
  if (isStoredForm(token)) return []
  if (storage === 'plain') return [token]
  const toForms = (hashes: readonly string[]): readonly string[] => {
    const hashed = hashes.map((hash) => mark + hash)
    return storage === 'both' ? [...hashed, token] : hashed
  }
  return chain(keyedHashes(ring, token), toForms)
}

/**
 * A second cookie that accompanies a session token if the store holds plain tokens.
 *
 * A reader of the table knows the token but not this cookie: a keyed hash of the token. next-auth v4, which may share
 * the table, ignores it. Sessions that next-auth created have none, and are recognized by their token, which has
 * neither a tag nor a creation time.
 */
export interface SessionProof {
  readonly cookie: CookieSetting
  readonly keys: KeyRing
}

/** Whether a token is of another library and therefore has no proof. */
function isOfOthers(token: string): boolean {
  const { tag, startedAt } = parseSessionToken(token)
  return tag === null && startedAt === null
}

/** @returns Whether the token came from the browser that it was issued to. */
export async function isProven(token: string, cookies: RequestCookies, proof: SessionProof): Promise<boolean> {
  if (isOfOthers(token)) return true
  const given = cookies.get(proof.cookie.name) ?? ''
  return (await keyedHashes(proof.keys, token)).some((hash) => equalInConstantTime(hash, given))
}

/** The maximum lifetime of a cookie, in milliseconds (RFC 6265bis §5.6.2). */
const maxProofLength = 400 * 24 * 60 * 60 * 1000

/**
 * The cookie to send with a token. It outlives the session, because a library that shares the table renews the session
 * without it.
 *
 * @param now - Milliseconds since 1970; `null` for a cookie that lasts until the browser is closed.
 */
export async function prove(token: string, now: number | null, proof: SessionProof): Promise<SetCookies> {
  if (isOfOthers(token)) return noCookies
  const expires = now === null ? null : new Date(now + maxProofLength)
  return setCookie(proof.cookie.name, await keyedHash(proof.keys, token), proof.cookie.options, expires)
}

/** The removal of the cookie, if the request contains it. */
export function clearProof(cookies: RequestCookies, proof: SessionProof): SetCookies {
  return cookies.has(proof.cookie.name) ? clearCookie(proof.cookie.name, proof.cookie.options) : noCookies
}
