import type { AccountKey, AdapterSession, Revocation, SessionRecord, VerificationToken } from '@postern/core'
import { DuplicateError } from '../duplicate-error.ts'
import type { AccountRow, UserRow } from '../rows.ts'
import { createTable, type Journal, type Table } from './table.ts'

/** All tables of an adapter. */
export interface Store {
  readonly journal: Journal
  readonly users: Table<UserRow>
  readonly accounts: Table<AccountRow>
  readonly sessions: Table<AdapterSession>
  readonly tokens: Table<VerificationToken>
  readonly records: Table<SessionRecord>
  readonly revocations: Table<Revocation>
}

/** Makes empty tables. */
export function createStore(): Store {
  const journal: Journal = { undo: null }
  return {
    journal,
    users: createTable<UserRow>(({ id }) => id, journal),
    accounts: createTable<AccountRow>(accountKey, journal),
    sessions: createTable<AdapterSession>(({ sessionToken }) => sessionToken, journal),
    tokens: createTable<VerificationToken>(tokenKey, journal),
    records: createTable<SessionRecord>(({ id }) => id, journal),
    revocations: createTable<Revocation>(({ subject }) => subject, journal)
  }
}

/** The key of an account. */
export function accountKey({ provider, providerAccountId }: AccountKey): string {
  return JSON.stringify([provider, providerAccountId])
}

/** The key of a one-time token. */
export function tokenKey({ identifier, token }: { identifier: string; token: string }): string {
  return JSON.stringify([identifier, token])
}

/** @throws DuplicateError where another user has the address. */
export function requireFreeEmail({ users }: Store, { id, email }: UserRow): void {
  const isTaken = email !== null && users.filter((user) => user.email === email && user.id !== id).length > 0
  if (isTaken) throw new DuplicateError('memory: expected an address that no other user has')
}

/** @throws Error where there is no such user. */
export function requireUser({ users }: Store, id: string): void {
  if (!users.get(id)) throw new Error('memory: expected the id of a user who exists')
}

/** @throws DuplicateError where the session has another record. */
export function requireOwnSession({ records }: Store, { id, sessionToken }: SessionRecord): void {
  const isTaken = (record: SessionRecord): boolean => record.sessionToken === sessionToken && record.id !== id
  if (sessionToken !== null && records.filter(isTaken).length > 0)
    throw new DuplicateError('memory: expected a session that has no other record')
}
