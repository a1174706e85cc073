import type {
  AccountKey,
  AdapterSession,
  EventKey,
  FactorKey,
  Revocation,
  SessionRecord,
  TicketKey,
  VerificationToken
} from '@postern/core'
import { DuplicateError } from '../duplicate-error.ts'
import type { AccountRow, EventRow, EvidenceRow, FactorRow, TicketRow, VersionRow } from '../rows.ts'
import type { UserRow } from '../user-columns.ts'
import { createTable, type Journal, type Table } from './table.ts'

/** A revocation, and when it was recorded, in milliseconds since 1970. */
export interface NotedRevocation extends Revocation {
  readonly noted: number
}

/** The row of a user, and when it may be deleted: `null` while the user exists. */
export interface StoredVersion extends VersionRow {
  readonly deleteAfter: Date | null
}

/** @returns The columns of the contract. */
export function toVersion({ deleteAfter: _, ...row }: StoredVersion): VersionRow {
  return row
}

/** All tables of an adapter. */
export interface Store {
  readonly journal: Journal
  readonly users: Table<UserRow>
  readonly accounts: Table<AccountRow>
  readonly sessions: Table<AdapterSession>
  readonly tokens: Table<VerificationToken>
  readonly records: Table<SessionRecord>
  readonly revocations: Table<NotedRevocation>
  readonly evidence: Table<EvidenceRow>
  readonly tickets: Table<TicketRow>
  readonly factors: Table<FactorRow>
  readonly events: Table<EventRow>
  readonly versions: Table<StoredVersion>
}

/** Creates empty tables. */
export function createStore(): Store {
  const journal: Journal = { undo: null }
  return {
    journal,
    users: createTable<UserRow>(({ id }) => id, journal),
    accounts: createTable<AccountRow>(accountKey, journal),
    sessions: createTable<AdapterSession>(({ sessionToken }) => sessionToken, journal),
    tokens: createTable<VerificationToken>(tokenKey, journal),
    records: createTable<SessionRecord>(({ id }) => id, journal),
    revocations: createTable<NotedRevocation>(({ subject }) => subject, journal),
    evidence: createTable<EvidenceRow>(accountKey, journal),
    tickets: createTable<TicketRow>(ticketKey, journal),
    factors: createTable<FactorRow>(factorKey, journal),
    events: createTable<EventRow>(({ id }) => id, journal),
    versions: createTable<StoredVersion>(({ userId }) => userId, journal)
  }
}

/** A key of two members. */
export const pairKey = (...pair: readonly [string, string]): string => JSON.stringify(pair)

/** The key of an account. */
export const accountKey = (account: AccountKey): string => pairKey(account.provider, account.providerAccountId)

/** The key of a one-time token. */
export const tokenKey = ({ identifier, token }: Pick<VerificationToken, 'identifier' | 'token'>): string =>
  pairKey(identifier, token)

/** The key of a ticket. */
export const ticketKey = ({ kind, id }: TicketKey): string => pairKey(kind, id)

/** The key of a factor. */
export const factorKey = ({ type, id }: FactorKey): string => pairKey(type, id)

/** Orders events. */
export function newestFirst(one: EventKey, other: EventKey): number {
  const isLater = one.id < other.id ? 1 : -1
  return other.time.getTime() - one.time.getTime() || (one.id === other.id ? 0 : isLater)
}

/** @throws DuplicateError if another user has the email address. */
export function requireFreeEmail({ users }: Store, { id, email }: UserRow): void {
  const isTaken = email !== null && users.filter((user) => user.email === email && user.id !== id).length > 0
  if (isTaken) throw new DuplicateError('memory: expected an address that no other user has')
}

/** @throws Error if the user does not exist. */
export function requireUser({ users }: Store, id: string): void {
  if (!users.get(id)) throw new Error('memory: expected the id of an existing user')
}

/** @throws DuplicateError if the session has another record. */
export function requireOwnSession({ records }: Store, { id, sessionToken }: SessionRecord): void {
  const isTaken = (record: SessionRecord): boolean => record.sessionToken === sessionToken && record.id !== id
  if (sessionToken !== null && records.filter(isTaken).length > 0)
    throw new DuplicateError('memory: expected a session that has no other record')
}
