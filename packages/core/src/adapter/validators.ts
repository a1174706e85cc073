import type { AdapterSession, AdapterUser, VerificationToken } from './adapter.ts'
import type { Revocation } from './revocation.ts'
import type { SessionRecord } from './session-record.ts'

/** Whether an answer has the promised shape. */
export type Check<T> = (value: unknown) => value is T

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())
export const isUser = (value: unknown): value is AdapterUser =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== ''
export const isSession = (value: unknown): value is AdapterSession =>
  isObject(value) &&
  typeof value['sessionToken'] === 'string' &&
  typeof value['userId'] === 'string' &&
  isDate(value['expires'])
export const isToken = (value: unknown): value is VerificationToken =>
  isObject(value) &&
  typeof value['identifier'] === 'string' &&
  typeof value['token'] === 'string' &&
  isDate(value['expires'])
export const isSessionAndUser = (value: unknown): value is { session: AdapterSession; user: AdapterUser } =>
  isObject(value) && isSession(value['session']) && isUser(value['user'])
export const isList = (value: unknown): value is readonly never[] => Array.isArray(value)
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const isTextOrNull = (value: unknown): boolean => typeof value === 'string' || value === null || value === undefined
const isRecord = (value: unknown): value is SessionRecord =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  typeof value['userId'] === 'string' &&
  isTextOrNull(value['sessionToken']) &&
  isTextOrNull(value['provider']) &&
  isTextOrNull(value['providerSessionId']) &&
  isTextOrNull(value['userAgent']) &&
  isTextOrNull(value['address']) &&
  isDate(value['createdAt']) &&
  isDate(value['lastSeen']) &&
  isDate(value['expires'])
const isRevocation = (value: unknown): value is Revocation =>
  isObject(value) && typeof value['subject'] === 'string' && isNumber(value['version']) && isDate(value['until'])
const isListOf =
  <T>(is: Check<T>) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(is)

export const isSessions: Check<readonly AdapterSession[]> = isListOf(isSession)
export const isRecords: Check<readonly SessionRecord[]> = isListOf(isRecord)
export const isRevocations: Check<readonly Revocation[]> = isListOf(isRevocation)

/** The version of a user's revocations, where a store tells it. */
export function userVersionIn(answer: unknown): number | null {
  const version = isObject(answer) ? answer['userVersion'] : null
  return typeof version === 'number' && Number.isSafeInteger(version) && version >= 0 ? version : null
}

const isCount = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Some databases count their users; an id is a text to us. */
export function withTextIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextIds)
  if (!isObject(value)) return value
  const { id, userId, session, user } = value
  if (isCount(id) || isCount(userId))
    return {
      ...value,
      ...(isCount(id) ? { id: String(id) } : {}),
      ...(isCount(userId) ? { userId: String(userId) } : {})
    }
  const isPair = isObject(session) && isObject(user) && (isCount(session['userId']) || isCount(user['id']))
  return isPair ? { ...value, session: withTextIds(session), user: withTextIds(user) } : value
}
