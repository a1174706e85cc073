import { isObject } from '../model/json-object.ts'
import type { AccountEvidence } from './account-evidence.ts'
import type {
  AdapterAccount,
  AdapterProblem,
  AdapterSession,
  AdapterUser,
  UserWithVersion,
  VerificationToken
} from './adapter.ts'
import type { EncryptedRow } from './encrypted-row.ts'
import type { EventRecord } from './event-record.ts'
import type { Factor } from './factor.ts'
import type { Revocation } from './revocation.ts'
import type { SessionRecord } from './session-record.ts'
import type { Ticket } from './ticket.ts'
import type { UserVersion } from './user-version.ts'

/** Whether a result has the promised shape. */
export type Check<T> = (value: unknown) => value is T

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())
const isDateOrNull = (value: unknown): value is Date | null => value === null || isDate(value)
export const isUser = (value: unknown): value is AdapterUser =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== ''
export const isAccount = (value: unknown): value is AdapterAccount =>
  isObject(value) && typeof value['provider'] === 'string' && typeof value['userId'] === 'string'
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
export const isId = (value: unknown): value is string => typeof value === 'string' && value !== ''
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
  isTextOrNull(value['data']) &&
  isDate(value['createdAt']) &&
  isDate(value['lastSeen']) &&
  isDate(value['expires'])
const isRevocation = (value: unknown): value is Revocation =>
  isObject(value) && typeof value['subject'] === 'string' && isNumber(value['version']) && isDate(value['until'])
const isEvidence = (value: unknown): value is AccountEvidence =>
  isObject(value) &&
  typeof value['provider'] === 'string' &&
  typeof value['providerAccountId'] === 'string' &&
  typeof value['userId'] === 'string' &&
  typeof value['email'] === 'string' &&
  isDate(value['verifiedAt'])
export const isTicket = (value: unknown): value is Ticket =>
  isObject(value) &&
  typeof value['kind'] === 'string' &&
  typeof value['id'] === 'string' &&
  (value['userId'] === null || typeof value['userId'] === 'string') &&
  typeof value['data'] === 'string' &&
  isNumber(value['tries']) &&
  isDate(value['expires']) &&
  (value['dueAt'] === undefined || isDateOrNull(value['dueAt']))
export const isFactor = (value: unknown): value is Factor =>
  isObject(value) &&
  typeof value['type'] === 'string' &&
  typeof value['id'] === 'string' &&
  typeof value['userId'] === 'string' &&
  (value['name'] === null || typeof value['name'] === 'string') &&
  typeof value['data'] === 'string' &&
  isDate(value['createdAt']) &&
  (value['lastUsedAt'] === null || isDate(value['lastUsedAt'])) &&
  Number.isSafeInteger(value['version'])
const isEvent = (value: unknown): value is EventRecord =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  isDate(value['time']) &&
  typeof value['type'] === 'string' &&
  eventTexts.every((name) => value[name] === null || typeof value[name] === 'string')
const eventTexts = ['userId', 'sessionId', 'ip', 'userAgent', 'provider', 'requestId', 'data']
const isEncryptedRow = (value: unknown): value is EncryptedRow =>
  isObject(value) &&
  typeof value['group'] === 'string' &&
  typeof value['id'] === 'string' &&
  isObject(value['texts']) &&
  Object.values(value['texts']).every((text) => text === null || typeof text === 'string')
export const isUserVersion = (value: unknown): value is UserVersion =>
  isObject(value) &&
  typeof value['userId'] === 'string' &&
  isVersion(value['version']) &&
  isVersion(value['sessionsFrom']) &&
  isDateOrNull(value['suspendedAt']) &&
  isTextOrNull(value['changeId']) &&
  isDateOrNull(value['until'])
const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
/** Whether the parts belong together: a version of another user would let somebody in. */
export const isUserWithVersion = (value: unknown): value is UserWithVersion => {
  if (!isObject(value)) return false
  const { user, version, account } = value
  if (!isUser(user) || (version !== null && !(isUserVersion(version) && version.userId === user.id))) return false
  return account === undefined || (isAccount(account) && account.userId === user.id)
}
const isListOf =
  <T>(is: Check<T>) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(is)

export const isProblems: Check<readonly AdapterProblem[]> = isListOf(
  (value): value is AdapterProblem =>
    isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string'
)
export const isUsers: Check<readonly AdapterUser[]> = isListOf(isUser)
export const isSessions: Check<readonly AdapterSession[]> = isListOf(isSession)
export const isRecords: Check<readonly SessionRecord[]> = isListOf(isRecord)
export const isEvidenceList: Check<readonly AccountEvidence[]> = isListOf(isEvidence)
export const isTickets: Check<readonly Ticket[]> = isListOf(isTicket)
export const isFactors: Check<readonly Factor[]> = isListOf(isFactor)
export const isEvents: Check<readonly EventRecord[]> = isListOf(isEvent)
export const isEncryptedRows: Check<readonly EncryptedRow[]> = isListOf(isEncryptedRow)
export const isRevocations: Check<readonly Revocation[]> = isListOf(isRevocation)
