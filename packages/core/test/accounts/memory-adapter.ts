import type { Adapter, AdapterAccount, AdapterCall, AdapterSession, AdapterUser } from '../../src/adapter/adapter.ts'
import type { EventRecord } from '../../src/adapter/event-record.ts'
import type { Revocation } from '../../src/adapter/revocation.ts'
import type { SessionRecord } from '../../src/adapter/session-record.ts'
import type { Ticket } from '../../src/adapter/ticket.ts'
import { noUserVersion, type UserAdvance, type UserVersion } from '../../src/adapter/user-version.ts'

/** What a store keeps. */
export interface Rows {
  readonly users: Map<string, AdapterUser>
  readonly accounts: Map<string, AdapterAccount>
  readonly sessions: Map<string, AdapterSession>
  readonly records: Map<string, SessionRecord>
  readonly tickets: Map<string, Ticket>
  readonly versions: Map<string, UserVersion>
  readonly revocations: Map<string, Revocation>
  readonly events: EventRecord[]
}

const createRows = (): Rows => ({
  ...{ users: new Map(), accounts: new Map(), sessions: new Map(), records: new Map(), tickets: new Map() },
  ...{ versions: new Map(), revocations: new Map(), events: [] }
})

/** @returns What restores the rows of a table. */
function snapshot<V>(rows: Map<string, V>): () => void {
  const kept = new Map(rows)
  return () => {
    rows.clear()
    for (const [key, row] of kept) rows.set(key, row)
  }
}

function drop<V>(rows: Map<string, V>, isOver: (row: V) => boolean): void {
  for (const [key, row] of rows) if (isOver(row)) rows.delete(key)
}

function take<V>(rows: Map<string, V>, key: string): V | null {
  const row = rows.get(key) ?? null
  rows.delete(key)
  return row
}

/** The methods that a transaction may contain; each is synchronous. */
function createWrites(rows: Rows, now: () => number) {
  const { users, accounts, sessions, records, tickets, versions, revocations, events } = rows
  const keyOf = ({ provider, providerAccountId }: { provider: string; providerAccountId: string }): string =>
    `${provider} ${providerAccountId}`
  const ticketKey = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`
  const revoke = (subject: string, until: Date, named: number | null = null): number => {
    const before = revocations.get(subject)?.version ?? 0
    const version = named === null ? Math.max(before + 1, now()) : Math.max(before, named)
    revocations.set(subject, { subject, version, until })
    return version
  }
  return {
    deleteUser: (id: string) => {
      drop(accounts, ({ userId }) => userId === id)
      drop(sessions, ({ userId }) => userId === id)
      return take(users, id)
    },
    linkAccount: (account: AdapterAccount) => accounts.set(keyOf(account), account),
    unlinkAccount: (key: { provider: string; providerAccountId: string }) => take(accounts, keyOf(key)),
    createSession: (session: AdapterSession, record?: SessionRecord) => {
      sessions.set(session.sessionToken, session)
      if (record) records.set(record.id, record)
      return session
    },
    deleteSession: (token: string) => {
      drop(records, ({ sessionToken }) => sessionToken === token)
      return take(sessions, token)
    },
    deleteSessions: (userId: string, except?: string) =>
      drop(sessions, (session) => session.userId === userId && session.sessionToken !== except),
    putSessionRecord: (record: SessionRecord) => records.set(record.id, record),
    deleteSessionRecord: (id: string) => take(records, id),
    createTicket: (ticket: Ticket) => tickets.set(ticketKey(ticket), ticket),
    consumeTicket: (key: { kind: string; id: string }) => take(tickets, ticketKey(key)),
    deleteTickets: (userId: string, kind?: string) =>
      drop(tickets, (ticket) => ticket.userId === userId && (kind === undefined || ticket.kind === kind)),
    addEvents: (added: readonly EventRecord[]) => events.push(...added),
    revoke,
    requireUserVersion: (userId: string, version: number) => (versions.get(userId)?.version ?? 0) === version,
    requireAddress: (userId: string, email: string | null) => users.get(userId)?.email === email,
    advanceUser: ({ userId, expected, version, changeId, raises, suspendedAt, until }: UserAdvance) => {
      const before = versions.get(userId) ?? noUserVersion(userId)
      if (expected !== null && expected !== before.version) return false
      const next = Math.max(version, expected === null ? before.version + 1 : 0)
      const sessionsFrom = raises ? next : before.sessionsFrom
      const suspended = suspendedAt === undefined ? before.suspendedAt : suspendedAt
      versions.set(userId, { userId, version: next, sessionsFrom, suspendedAt: suspended, changeId, until })
      if (raises) revoke(`user:${userId}`, until, next)
      return true
    }
  }
}

const requiredCalls: readonly AdapterCall['method'][] = [
  ...(['consumeTicket', 'requireUserVersion', 'requireAddress', 'advanceUser'] as const)
]

/** A store in this process, of which a test sees and changes the rows. */
export function createMemoryAdapter(now: () => number): { readonly adapter: Adapter; readonly rows: Rows } {
  const rows = createRows()
  const { users, accounts, sessions, records, tickets, versions, revocations, events } = rows
  const writes = createWrites(rows, now)
  const perform = ({ method, args, isRequired = requiredCalls.includes(method) }: AdapterCall): boolean => {
    const result: unknown = Reflect.apply(Reflect.get(writes, method), writes, args)
    return !isRequired || Boolean(result)
  }
  const transact = (calls: readonly AdapterCall[]): boolean => {
    const people = [snapshot(users), snapshot(accounts), snapshot(tickets), snapshot(versions)]
    const restores = [...people, snapshot(sessions), snapshot(records), snapshot(revocations)]
    const { length } = events
    if (calls.every(perform)) return true
    for (const restore of restores) restore()
    events.length = length
    return false
  }
  const adapter: Adapter = {
    ...writes,
    transact,
    createUser: (user) => {
      const created = { ...user, id: user.id ?? crypto.randomUUID() }
      users.set(created.id, created)
      return created
    },
    updateUser: (changes) => {
      const updated = { email: null, emailVerified: null, ...users.get(changes.id), ...changes }
      users.set(changes.id, updated)
      return updated
    },
    getUser: (id) => users.get(id) ?? null,
    getUserByEmail: (email) => [...users.values()].find((user) => user.email === email) ?? null,
    getUserByAccount: ({ provider, providerAccountId }) => {
      const account = accounts.get(`${provider} ${providerAccountId}`)
      return (account && users.get(account.userId)) ?? null
    },
    getAccounts: (userId) => [...accounts.values()].filter((account) => account.userId === userId),
    getSessionAndUser: (token) => {
      const session = sessions.get(token)
      const user = session && users.get(session.userId)
      return session && user ? { session, user } : null
    },
    updateSession: () => null,
    listSessions: (userId) => [...sessions.values()].filter((session) => session.userId === userId),
    createVerificationToken: () => null,
    getVerificationToken: () => null,
    useVerificationToken: () => null,
    getSessionRecords: (query) => {
      const all = [...records.values()]
      if ('id' in query) return all.filter(({ id }) => id === query.id)
      if ('userId' in query) return all.filter(({ userId }) => userId === query.userId)
      return all.filter(({ providerSessionId }) => providerSessionId === query.providerSessionId)
    },
    readTicket: ({ kind, id }) => tickets.get(`${kind} ${id}`) ?? null,
    countTry: () => null,
    getUserVersion: (userId) => versions.get(userId) ?? null,
    getRevocations: (subjects) => subjects.flatMap((subject) => revocations.get(subject) ?? []),
    listRevocations: () => [...revocations.values()],
    listEvents: () => events,
    deleteEvents: () => 0
  }
  return { adapter, rows }
}
