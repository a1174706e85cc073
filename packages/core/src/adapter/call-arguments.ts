import { InvalidKeyError } from '../errors/invalid-value-error.ts'
import { isObject } from '../model/json-object.ts'
import { isStorable, toStorable } from '../model/storable-text.ts'
import type { AccountEvidence } from './account-evidence.ts'
import type { AccountKey, Adapter, AdapterAccount, AdapterCall, AdapterSession, VerificationToken } from './adapter.ts'
import type { EventQuery, EventRecord } from './event-record.ts'
import type { Factor, FactorKey } from './factor.ts'
import type { SessionRecord } from './session-record.ts'
import type { Ticket, TicketKey } from './ticket.ts'
import type { UserAdvance } from './user-version.ts'

/**
 * How a field is passed to the adapter: a `key` unchanged, or the call is not made; a `text` with replacement characters; a
 * `token` unchanged, or `null`; a `value` as it is.
 */
type Use = 'key' | 'text' | 'token' | 'value'

/** The fields of a row, or of a key. */
interface Row {
  readonly fields: readonly (readonly [name: string, use: Use])[]
  /** How other fields are passed, such as additional columns of the application; `null` if they are left out. */
  readonly others: Use | null
}

/** A list of rows or of keys. */
interface List {
  readonly each: Row | 'key'
}

type Argument = Use | Row | List

type Nothing = null | false | readonly never[]

interface Method {
  /** The first arguments; others are passed as they are. */
  readonly args: readonly Argument[]
  /** The result for a key that no row can have. Methods that write have none. */
  readonly nothing?: Nothing
}

type Fields<T> = { readonly [K in keyof Required<T>]: Use }

const row = <T>(fields: Fields<T>): Row => ({ fields: Object.entries<Use>(fields), others: null })

const session = row<AdapterSession>({ sessionToken: 'key', userId: 'key', expires: 'value' })
const pair = row<Pick<VerificationToken, 'identifier' | 'token'>>({ identifier: 'key', token: 'key' })
const oneTimeToken = row<VerificationToken>({ identifier: 'key', token: 'key', expires: 'value' })
const accountKey = row<AccountKey>({ provider: 'key', providerAccountId: 'key' })
const evidence = row<AccountEvidence>({
  provider: 'key',
  providerAccountId: 'key',
  userId: 'key',
  email: 'key',
  verifiedAt: 'value'
})
const record = row<SessionRecord>({
  id: 'key',
  userId: 'key',
  sessionToken: 'key',
  provider: 'key',
  providerSessionId: 'key',
  userAgent: 'text',
  address: 'text',
  data: 'value',
  createdAt: 'value',
  lastSeen: 'value',
  expires: 'value'
})
const recordQuery: Row = { fields: [], others: 'key' }
const ticketKey = row<TicketKey>({ kind: 'key', id: 'key' })
const ticket = row<Ticket>({
  kind: 'key',
  id: 'key',
  userId: 'key',
  data: 'value',
  tries: 'value',
  expires: 'value',
  dueAt: 'value'
})
const advance = row<UserAdvance>({
  userId: 'key',
  expected: 'value',
  version: 'value',
  changeId: 'key',
  raises: 'value',
  suspendedAt: 'value',
  until: 'value',
  isGone: 'value'
})
const userVersionQuery: Row = { fields: [], others: 'key' }
const factorKey = row<FactorKey>({ type: 'key', id: 'key' })
const factor = row<Factor>({
  type: 'key',
  id: 'key',
  userId: 'key',
  name: 'text',
  data: 'value',
  createdAt: 'value',
  lastUsedAt: 'value',
  version: 'value'
})
const event = row<EventRecord>({
  id: 'key',
  type: 'key',
  userId: 'key',
  time: 'value',
  sessionId: 'text',
  ip: 'text',
  userAgent: 'text',
  provider: 'text',
  requestId: 'text',
  data: 'text'
})
const eventQuery = row<EventQuery>({ userId: 'key', type: 'key', before: 'value', limit: 'value' })
const account: Row = {
  fields: [...accountKey.fields, ['userId', 'key']],
  others: 'token'
}
const user: Row = {
  fields: [
    ['id', 'key'],
    ['email', 'key']
  ],
  others: 'text'
}

const methods = {
  createUser: { args: [user] },
  createUserId: { args: [user] },
  getUser: { args: ['key'], nothing: null },
  getUserByEmail: { args: ['key'], nothing: null },
  getUserByAccount: { args: [accountKey], nothing: null },
  getAccount: { args: ['key', 'key'], nothing: null },
  updateUser: { args: [user] },
  deleteUser: { args: ['key'], nothing: null },
  checkUserDeletion: { args: ['key'], nothing: null },
  findProblems: { args: [] },
  linkAccount: { args: [account] },
  unlinkAccount: { args: [accountKey], nothing: null },
  createSession: { args: [session, record] },
  getSessionAndUser: { args: ['key'], nothing: null },
  updateSession: { args: [session] },
  deleteSession: { args: ['key'], nothing: null },
  createVerificationToken: { args: [oneTimeToken] },
  useVerificationToken: { args: [pair], nothing: null },
  createUserWithAccount: { args: [user, account] },
  updateAccount: { args: [account, account] },
  getAccounts: { args: ['key'], nothing: [] },
  getVerificationToken: { args: [pair], nothing: null },
  listSessions: { args: ['key'], nothing: [] },
  listUsers: { args: [{ fields: [], others: 'key' }], nothing: [] },
  deleteSessions: { args: ['key', 'text'], nothing: null },
  putSessionRecord: { args: [record] },
  getSessionRecords: { args: [recordQuery], nothing: [] },
  deleteSessionRecord: { args: ['key'], nothing: null },
  putAccountEvidence: { args: [evidence] },
  getAccountEvidence: { args: ['key'], nothing: [] },
  getUserVersion: { args: ['key'], nothing: null },
  findUserVersion: { args: [userVersionQuery], nothing: null },
  requireUserVersion: { args: ['key'] },
  advanceUser: { args: [advance] },
  requireAddress: { args: ['key', 'key'], nothing: false },
  createTicket: { args: [ticket] },
  putTicket: { args: [ticket, ticket] },
  listDueTickets: { args: ['key'], nothing: [] },
  readTicket: { args: [ticketKey], nothing: null },
  readTickets: { args: [{ each: ticketKey }], nothing: [] },
  countTry: { args: [ticketKey], nothing: null },
  consumeTicket: { args: [ticketKey], nothing: null },
  deleteTickets: { args: ['key', 'key'], nothing: null },
  createFactor: { args: [factor] },
  getFactor: { args: [factorKey], nothing: null },
  listFactors: { args: ['key', 'key'], nothing: [] },
  updateFactor: { args: [factor] },
  deleteFactor: { args: [factorKey], nothing: false },
  addEvents: { args: [{ each: event }] },
  listEvents: { args: [eventQuery], nothing: [] },
  revoke: { args: ['key'] },
  getRevocations: { args: [{ each: 'key' }], nothing: [] },
  listRevocations: { args: [] },
  deleteEvents: { args: [] },
  deleteExpired: { args: [] },
  // Rows that the store listed itself.
  listEncryptedRows: { args: [] },
  replaceEncryptedTexts: { args: [] },
  withLease: { args: ['key'] }
} as const satisfies { readonly [M in Exclude<keyof Adapter, 'transact' | 'close'> | 'getAccount']-?: Method }

const methodsByName: ReadonlyMap<string, Method> = new Map(Object.entries<Method>(methods))

/** The arguments of a call, or the result of one that is not made. */
type Prepared =
  | { readonly kind: 'call'; readonly args: readonly unknown[] }
  | { readonly kind: 'nothing'; readonly result: Nothing }

/**
 * Reduces the arguments of a method to the fields of the contract. A row that another adapter returned has more, such as its
 * own primary key, and may be written again. Users and accounts keep theirs, which may be columns of the application.
 *
 * No row can have a key with NUL or a lone surrogate, which some stores refuse: it finds nothing, and cannot be written.
 *
 * @throws InvalidKeyError
 */
export function prepareCall(name: string, args: readonly unknown[]): Prepared {
  if (name === 'transact') {
    const [calls] = args
    return { kind: 'call', args: [Array.isArray(calls) ? calls.map(prepareWrite) : calls] }
  }
  const method = methodsByName.get(name)
  if (!method) return { kind: 'call', args }
  try {
    return { kind: 'call', args: args.map((value, index) => toArgument(method.args[index], value)) }
  } catch (error) {
    if (!(error instanceof InvalidKeyError) || method.nothing === undefined) throw error
    const [keys] = args
    const [of] = method.args
    const isList = Array.isArray(keys) && typeof of === 'object' && 'each' in of
    const others = isList ? keys.filter((key) => isPossible(of.each, key)) : []
    return others.length > 0 ? prepareCall(name, [others]) : { kind: 'nothing', result: method.nothing }
  }
}

/** @throws InvalidKeyError if a call of a transaction has a key that no row can have. */
function prepareWrite(call: AdapterCall): object {
  const prepared = prepareCall(call.method, call.args)
  if (prepared.kind === 'nothing') throw new InvalidKeyError()
  return { ...call, args: prepared.args }
}

/** Whether a row can have this key. */
function isPossible(argument: Argument, key: unknown): boolean {
  try {
    toArgument(argument, key)
    return true
  } catch {
    return false
  }
}

/** @throws InvalidKeyError for a key that no row can have */
function toArgument(argument: Argument | undefined, value: unknown): unknown {
  if (argument === 'text') return toStorableValue(value)
  if (argument === 'key' || argument === 'token') {
    if (typeof value !== 'string' || isStorable(value)) return value
    if (argument === 'key') throw new InvalidKeyError()
    return null
  }
  if (argument === undefined || argument === 'value' || !isObject(value)) return value
  if ('each' in argument) return Array.isArray(value) ? value.map((one) => toArgument(argument.each, one)) : value
  const { fields, others } = argument
  const written: Record<string, unknown> = {}
  // A key may have members, such as that of an account.
  if (others !== null)
    for (const [name, one] of Object.entries(value))
      written[name] = toArgument(others === 'key' && isObject(one) ? argument : others, one)
  for (const [name, use] of fields) if (name in value) written[name] = toArgument(use, value[name])
  return written
}

/** A column of the application may have any type, such as JSON. */
function toStorableValue(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value)
  if (Array.isArray(value)) return value.map(toStorableValue)
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [toStorable(name), toStorableValue(one)]))
}

/** @returns An account that an adapter returned, to be written again: with the fields of the contract only. */
export function toAccountRow(found: AdapterAccount): AdapterAccount {
  const { provider, providerAccountId, type, userId, expires_at = null, session_state = null } = found
  const { access_token = null, refresh_token = null, id_token = null, token_type = null, scope = null } = found
  return {
    provider,
    providerAccountId,
    type,
    userId,
    access_token,
    refresh_token,
    id_token,
    token_type,
    scope,
    session_state,
    expires_at
  }
}
