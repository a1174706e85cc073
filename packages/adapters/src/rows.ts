import type {
  Account,
  AccountEvidence,
  AccountType,
  AdapterAccount,
  AdapterSession,
  EventRecord,
  Factor,
  SessionRecord,
  Ticket,
  UserAdvance,
  UserVersion,
  VerificationToken
} from '@postern/core'

/** A row of the table `account`. */
export interface AccountRow {
  readonly userId: string
  readonly type: AccountType
  readonly provider: string
  readonly providerAccountId: string
  readonly refresh_token: string | null
  readonly access_token: string | null
  readonly expires_at: number | null
  readonly token_type: string | null
  readonly scope: string | null
  readonly id_token: string | null
  readonly session_state: string | null
}

/** A row of the table `session`. */
export type SessionRow = Readonly<AdapterSession>

/** A row of the table `verificationToken`. */
export type TokenRow = Readonly<VerificationToken>

/** A row of the table `postern_session`. */
export type RecordRow = Readonly<SessionRecord>

/** A row of the table `postern_account`. */
export type EvidenceRow = Readonly<AccountEvidence>

/** A row of the table `postern_ticket`. */
export type TicketRow = Readonly<Ticket> & { readonly dueAt: Date | null }

/** A row of the table `postern_user`. */
export type VersionRow = Readonly<UserVersion>

/** A row of the table `postern_factor`. */
export type FactorRow = Readonly<Factor>

/** A row of the table `postern_event`. */
export type EventRow = Readonly<EventRecord>

const accountTexts = ['refresh_token', 'access_token', 'token_type', 'scope', 'id_token', 'session_state'] as const

/** Converts an account to a row; fields without a column, or with an invalid value, are dropped. */
export function toAccountRow(account: Account, userId: string): AccountRow {
  const { type, provider, providerAccountId } = account
  return { ...noTokens, ...toAccountPatch(account), type, provider, providerAccountId, userId }
}

/** The non-key columns for which `account` has a valid value. */
export function toAccountPatch(account: Partial<Account>): Partial<Omit<AccountRow, 'provider' | 'providerAccountId'>> {
  const { type, userId, expires_at } = account
  return {
    ...pickTexts(account, accountTexts),
    ...(expires_at === undefined ? {} : { expires_at: toInteger(expires_at) }),
    ...(type === undefined ? {} : { type }),
    ...(userId === undefined ? {} : { userId })
  }
}

/** The non-key columns for which `session` has a value. */
export function toSessionPatch(session: Partial<AdapterSession>): Partial<Omit<AdapterSession, 'sessionToken'>> {
  const { userId, expires } = session
  return { ...(userId === undefined ? {} : { userId }), ...(expires === undefined ? {} : { expires }) }
}

/** Converts a record to a row; strings that the client chose are truncated if no column can hold them. */
export function toRecordRow(record: SessionRecord): RecordRow {
  const { id, userId, sessionToken, provider, providerSessionId, createdAt, lastSeen, expires, data = null } = record
  return {
    id,
    userId,
    sessionToken,
    provider,
    providerSessionId,
    userAgent: shorten(record.userAgent),
    address: shorten(record.address),
    createdAt,
    lastSeen,
    expires,
    data
  }
}

/** Whether a stored record is the one that a call wrote: each session has an id of its own. */
export function isSameRecord(stored: SessionRecord | undefined, written: SessionRecord): boolean {
  const toTimes = ({ createdAt, lastSeen, expires }: SessionRecord): string =>
    [createdAt, lastSeen, expires].map((time) => time.getTime()).join()
  return stored?.userId === written.userId && toTimes(stored) === toTimes(written)
}

/** The columns of a ticket. */
export function toTicketRow({ kind, id, userId, data, tries, expires, dueAt = null }: Ticket): TicketRow {
  return { kind, id, userId, data, tries, expires, dueAt }
}

/** Whether a stored ticket is as it was read. */
export function isUnchangedTicket(stored: Ticket, read: Ticket): boolean {
  const isSameTime = stored.expires.getTime() === read.expires.getTime()
  return stored.userId === read.userId && stored.data === read.data && stored.tries === read.tries && isSameTime
}

/** The row of a user after a change, with which a row is created. */
export function toVersionRow(advance: UserAdvance): VersionRow {
  const { userId, version, changeId, raises, suspendedAt = null, until } = advance
  return { userId, version, sessionsFrom: raises ? version : 0, suspendedAt, changeId, until }
}

/**
 * Whether a stored ticket is the one that this call wrote. Each call encrypts its data with a new IV, so equal data
 * comes from the same call; empty data proves nothing.
 */
export function isSameTicket(stored: Ticket | null | undefined, written: Ticket): boolean {
  return written.data !== '' && stored?.data === written.data && stored.userId === written.userId
}

/**
 * What became of a replacement whose result is unknown.
 *
 * @returns Whether it was written; `null` if it was not, and may run again.
 * @throws The error, if the ticket has changed since: nothing shows who wrote it.
 */
export function resolvePut(
  found: Ticket | null | undefined,
  [ticket, expected]: readonly [ticket: Ticket, expected: Ticket | null],
  error: unknown
): boolean | null {
  if (isSameTicket(found, ticket)) return true
  const isUnchanged = found && expected ? isUnchangedTicket(found, expected) : !found && !expected
  if (isUnchanged) return null
  throw error
}

/** The columns of a factor; a name that is too long for any column is cut. */
export function toFactorRow({ type, id, userId, name, data, createdAt, lastUsedAt, version }: Factor): FactorRow {
  return { type, id, userId, name: shorten(name), data, createdAt, lastUsedAt, version }
}

/** The columns that an update of a factor writes. */
export function toFactorPatch(
  { name, data, lastUsedAt }: Factor,
  expectedVersion: number
): Pick<FactorRow, 'name' | 'data' | 'lastUsedAt' | 'version'> {
  return { name: shorten(name), data, lastUsedAt, version: expectedVersion + 1 }
}

/** Returns whether this call wrote a stored factor. Like tickets, factors are encrypted differently by each call. */
export function isSameFactor(stored: Factor | null | undefined, written: Factor): boolean {
  const isSameTime = stored?.lastUsedAt?.getTime() === written.lastUsedAt?.getTime()
  return written.data !== '' && stored?.data === written.data && stored.userId === written.userId && isSameTime
}

/**
 * What became of an update whose result is unknown.
 *
 * @returns Whether it was written; `null` if it was not, and may run again.
 * @throws The error, if the factor has been changed again or deleted since: nothing shows who wrote the expected version.
 */
export function resolveFactorUpdate(
  found: Factor | null | undefined,
  [factor, expectedVersion]: readonly [factor: Factor, expectedVersion: number],
  error: unknown
): boolean | null {
  if (found?.version === expectedVersion) return null
  const isNext = found?.version === expectedVersion + 1
  if (!isNext || (found.data === '' && factor.data === '')) throw error
  return isSameFactor(found, factor)
}

/** The columns of an event; texts that the client chose are cut if they are too long for any column. */
export function toEventRow(event: EventRecord): EventRow {
  const { id, time, type, userId, sessionId, provider, data } = event
  const [ip, userAgent, requestId] = [shorten(event.ip), shorten(event.userAgent), shorten(event.requestId)]
  return { id, time, type, userId, sessionId, ip, userAgent, provider, requestId, data }
}

/** The columns of an event that leave when its user is deleted. */
export const withoutClient = { ip: null, userAgent: null } as const

/** The columns of an account's evidence. */
export function toEvidenceRow(evidence: AccountEvidence): EvidenceRow {
  const { provider, providerAccountId, userId, email, verifiedAt } = evidence
  return { provider, providerAccountId, userId, email, verifiedAt }
}

/** The maximum characters that fit into the smallest text type, MySQL's with 65,535 bytes. */
const maxCharacters = 16_383

function shorten(text: string | null): string | null {
  if (text === null || text.length <= maxCharacters) return text
  return text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
}

const noTokens = {
  refresh_token: null,
  access_token: null,
  expires_at: null,
  token_type: null,
  scope: null,
  id_token: null,
  session_state: null
} as const

/** The types of a provider's values are not guaranteed: only strings and `null` are stored in text columns. */
function pickTexts<K extends string>(
  source: { readonly [P in K]?: unknown },
  names: readonly K[]
): { [P in K]?: string | null } {
  const texts: { [P in K]?: string | null } = {}
  for (const name of names) {
    const value: unknown = source[name]
    if (typeof value === 'string' || value === null) texts[name] = value
  }
  return texts
}

function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(Math.trunc(number)) ? Math.trunc(number) : null
}

/** What an update of an account may expect. */
type ExpectedFields = Pick<AdapterAccount, 'refresh_token' | 'userId'>

/** Whether an account has the refresh token and the user that an update expects. */
export function isExpectedAccount(account: AccountRow | null | undefined, expected: Partial<ExpectedFields>): boolean {
  if (!account || (expected.userId !== undefined && account.userId !== expected.userId)) return false
  return !('refresh_token' in expected) || account.refresh_token === (expected.refresh_token ?? null)
}

/** Whether an update of an account depends on its refresh token. */
export function isExchange(expected: Partial<ExpectedFields> | undefined): expected is ExpectedFields {
  return expected !== undefined && 'refresh_token' in expected
}
