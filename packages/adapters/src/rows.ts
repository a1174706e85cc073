import type {
  Account,
  AccountType,
  AdapterSession,
  NewUser,
  SessionRecord,
  User,
  VerificationToken
} from '@postern/core'

/** A row of the table `user`. */
export interface UserRow {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly emailVerified: Date | null
  readonly image: string | null
}

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

const userTexts = ['name', 'email', 'image'] as const
const accountTexts = ['refresh_token', 'access_token', 'token_type', 'scope', 'id_token', 'session_state'] as const

/**
 * The user as a row; what has no column is dropped.
 *
 * @param extra - The columns that the application has added to its table of users.
 */
export function toUserRow(user: NewUser, id: string, extra: readonly string[] = []): UserRow {
  return { name: null, email: null, emailVerified: null, image: null, ...toUserPatch(user, extra), id }
}

/** The columns that `user` gives a fitting value to. */
export function toUserPatch(user: Partial<User>, extra: readonly string[] = []): Partial<Omit<UserRow, 'id'>> {
  const { emailVerified } = user
  return {
    ...Object.fromEntries(Object.entries(user).filter(([name, value]) => extra.includes(name) && value !== undefined)),
    ...pickTexts(user, userTexts),
    ...(isInstant(emailVerified) ? { emailVerified } : {})
  }
}

/** The account as a row; a field that has no column, or does not fit it, is dropped. */
export function toAccountRow(account: Account, userId: string): AccountRow {
  const { type, provider, providerAccountId } = account
  return { ...noTokens, ...toAccountPatch(account), type, provider, providerAccountId, userId }
}

/** The columns besides the key that `account` gives a fitting value to. */
export function toAccountPatch(account: Partial<Account>): Partial<Omit<AccountRow, 'provider' | 'providerAccountId'>> {
  const { type, userId, expires_at } = account
  return {
    ...pickTexts(account, accountTexts),
    ...(expires_at === undefined ? {} : { expires_at: toInteger(expires_at) }),
    ...(type === undefined ? {} : { type }),
    ...(userId === undefined ? {} : { userId })
  }
}

/** The columns besides the key that `session` gives a value to. */
export function toSessionPatch(session: Partial<AdapterSession>): Partial<Omit<AdapterSession, 'sessionToken'>> {
  const { userId, expires } = session
  return { ...(userId === undefined ? {} : { userId }), ...(expires === undefined ? {} : { expires }) }
}

/** The record as a row; texts that the visitor chose are cut where they are too long for any column. */
export function toRecordRow(record: SessionRecord): RecordRow {
  const { id, userId, sessionToken, provider, providerSessionId, createdAt, lastSeen, expires } = record
  const [userAgent, address] = [shorten(record.userAgent), shorten(record.address)]
  return { id, userId, sessionToken, provider, providerSessionId, userAgent, address, createdAt, lastSeen, expires }
}

/** The most characters that have room in the smallest type of texts, which is MySQL's with 65 535 bytes. */
const mostCharacters = 16_383

function shorten(text: string | null): string | null {
  if (text === null || text.length <= mostCharacters) return text
  return text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '')
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

/** Providers answer with what they like: only a text or `null` goes into a text column. */
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

function isInstant(value: unknown): value is Date | null {
  return value === null || (value instanceof Date && !Number.isNaN(value.getTime()))
}

function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(Math.trunc(number)) ? Math.trunc(number) : null
}
