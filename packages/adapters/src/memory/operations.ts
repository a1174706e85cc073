import { randomUUID } from 'node:crypto'
import type {
  Account,
  AccountEvidence,
  Adapter,
  AdapterSession,
  EventRecord,
  Factor,
  FactorKey,
  NewUser,
  SessionRecord,
  Ticket,
  TicketKey,
  UserAdvance,
  VerificationToken
} from '@postern/core'
import type { CallMethods } from '../calls.ts'
import * as rows from '../rows.ts'
import { toUserPatch, toUserRow, type UserRow } from '../user-columns.ts'
import {
  accountKey,
  factorKey,
  newestFirst,
  requireFreeEmail,
  requireOwnSession,
  requireUser,
  type Store,
  ticketKey,
  tokenKey
} from './store.ts'

/** The synchronous methods that write, among them those that a transaction may contain. */
export function createOperations(store: Store) {
  return {
    ...userOperations(store),
    ...accountOperations(store),
    ...versionOperations(store),
    ...sessionOperations(store),
    ...recordOperations(store),
    ...revocationOperations(store),
    ...ticketOperations(store),
    ...factorOperations(store),
    ...eventOperations(store),
    ...deletions(store)
  } satisfies CallMethods
}

function userOperations(store: Store) {
  const { users, accounts } = store
  const createUser = (user: NewUser): UserRow => {
    const row = toUserRow(user, user.id || randomUUID())
    requireFreeEmail(store, row)
    return users.insert(row)
  }
  return {
    createUserId: (): string => randomUUID(),
    createUser,
    createUserWithAccount: (user: NewUser, account: Account): UserRow => {
      const row = createUser(user)
      try {
        accounts.insert(rows.toAccountRow(account, row.id))
        return row
      } catch (error) {
        users.take(row.id)
        throw error
      }
    },
    updateUser: ({ id, ...changes }: Parameters<CallMethods['updateUser']>[0]): UserRow => {
      const before = users.get(id)
      if (!before) throw new Error('memory: updateUser: expected the id of an existing user')
      const row = { ...before, ...toUserPatch(changes) }
      requireFreeEmail(store, row)
      return users.replace(row)
    }
  }
}

function accountOperations(store: Store) {
  const { accounts, evidence } = store
  return {
    linkAccount: (account: Account & { userId: string }): rows.AccountRow => {
      requireUser(store, account.userId)
      return accounts.insert(rows.toAccountRow(account, account.userId))
    },
    unlinkAccount: (key: Parameters<CallMethods['unlinkAccount']>[0]): rows.AccountRow | null => {
      evidence.take(accountKey(key))
      return accounts.take(accountKey(key))
    },
    putAccountEvidence: (proof: AccountEvidence): rows.EvidenceRow => evidence.replace(rows.toEvidenceRow(proof)),
    updateAccount: (
      ...[{ provider, providerAccountId, ...changes }, expected]: Parameters<CallMethods['updateAccount']>
    ): rows.AccountRow | null | false => {
      const before = accounts.get(accountKey({ provider, providerAccountId }))
      if (expected && !rows.isExpectedAccount(before, expected)) return false
      if (!before) return null
      const row = { ...before, ...rows.toAccountPatch(changes) }
      requireUser(store, row.userId)
      return accounts.replace(row)
    }
  }
}

function sessionOperations(store: Store) {
  const { sessions, records, tokens } = store
  return {
    updateSession: ({ sessionToken, ...changes }: Parameters<Required<Adapter>['updateSession']>[0]) => {
      const before = sessions.get(sessionToken)
      if (!before) return null
      const row = { ...before, ...rows.toSessionPatch(changes) }
      requireUser(store, row.userId)
      return sessions.replace(row)
    },
    createSession: (...[session, record]: Parameters<CallMethods['createSession']>): AdapterSession => {
      const { sessionToken, userId, expires } = session
      requireUser(store, userId)
      if (record) requireOwnSession(store, record)
      const created = sessions.insert({ sessionToken, userId, expires })
      if (record) records.replace(rows.toRecordRow(record))
      return created
    },
    deleteSession: (sessionToken: string): AdapterSession | null => {
      records.drop((record) => record.sessionToken === sessionToken)
      return sessions.take(sessionToken)
    },
    deleteSessions: (userId: string, except?: string): void => {
      const isOver = (row: { userId: string; sessionToken: string | null }): boolean =>
        row.userId === userId && (except === undefined || row.sessionToken !== except)
      records.drop((record) => record.sessionToken !== null && isOver(record))
      sessions.drop(isOver)
    },
    createVerificationToken: ({ identifier, token, expires }: VerificationToken): VerificationToken =>
      tokens.insert({ identifier, token, expires }),
    useVerificationToken: (pair: Pick<VerificationToken, 'identifier' | 'token'>): VerificationToken | null =>
      tokens.take(tokenKey(pair))
  }
}

function recordOperations(store: Store) {
  const { records } = store
  return {
    putSessionRecord: (record: SessionRecord): void => {
      requireOwnSession(store, record)
      records.replace(rows.toRecordRow(record))
    },
    deleteSessionRecord: (id: string): SessionRecord | null => records.take(id)
  }
}

function revocationOperations({ revocations }: Pick<Store, 'revocations'>) {
  return {
    revoke: (subject: string, until: Date, named?: number): number => {
      const before = revocations.get(subject)
      const noted = Date.now()
      const last = before?.version ?? 0
      const version = named === undefined ? Math.max(noted, last + 1) : Math.max(named, last)
      return revocations.replace({ subject, version, until: later(until, before?.until), noted }).version
    }
  }
}

/** A transaction of this process is never interrupted: what it requires needs no lock. */
function versionOperations({ versions, users, revocations }: Store) {
  return {
    requireUserVersion: (userId: string, version: number): boolean => (versions.get(userId)?.version ?? 0) === version,
    requireAddress: (userId: string, email: string | null): boolean => users.get(userId)?.email === email,
    advanceUser: (advance: UserAdvance): boolean => {
      const { userId, expected, raises, suspendedAt, isGone } = advance
      const before = versions.get(userId)
      if (expected !== null && expected !== (before?.version ?? 0)) return false
      const version = expected === null ? Math.max(advance.version, (before?.version ?? 0) + 1) : advance.version
      const next = rows.toVersionRow({ ...advance, version, until: later(advance.until, before?.until) })
      versions.replace({
        ...next,
        deleteAfter: isGone ? next.until : null,
        ...(raises ? {} : { sessionsFrom: before?.sessionsFrom ?? 0 }),
        ...(suspendedAt === undefined ? { suspendedAt: before?.suspendedAt ?? null } : {})
      })
      if (raises) {
        const subject = `user:${userId}`
        const revocation = revocations.get(subject)
        const until = later(advance.until, revocation?.until)
        revocations.replace({ subject, version: Math.max(version, revocation?.version ?? 0), until, noted: Date.now() })
      }
      return true
    }
  }
}

function later(one: Date, other: Date | null | undefined): Date {
  return other && other > one ? other : one
}

function ticketOperations({ tickets }: Store) {
  return {
    createTicket: (ticket: Ticket): rows.TicketRow => tickets.insert(rows.toTicketRow(ticket)),
    putTicket: (ticket: Ticket, expected: Ticket | null): boolean => {
      const before = tickets.get(ticketKey(ticket))
      const isExpected =
        before === null || expected === null ? before === expected : rows.isUnchangedTicket(before, expected)
      if (isExpected) tickets.replace(rows.toTicketRow(ticket))
      return isExpected
    },
    countTry: (key: TicketKey): number | null => {
      const ticket = tickets.get(ticketKey(key))
      return ticket && tickets.replace({ ...ticket, tries: ticket.tries + 1 }).tries
    },
    consumeTicket: (key: TicketKey): rows.TicketRow | null => tickets.take(ticketKey(key)),
    deleteTickets: (userId: string, kind?: string): void => {
      tickets.drop((ticket) => ticket.userId === userId && (kind === undefined || ticket.kind === kind))
    }
  }
}

function factorOperations({ factors }: Store) {
  return {
    createFactor: (factor: Factor): rows.FactorRow => factors.insert(rows.toFactorRow(factor)),
    updateFactor: (factor: Factor, expectedVersion: number): boolean => {
      const before = factors.get(factorKey(factor))
      if (before?.version !== expectedVersion || before.userId !== factor.userId) return false
      factors.replace({ ...before, ...rows.toFactorPatch(factor, expectedVersion) })
      return true
    },
    deleteFactor: (key: FactorKey): boolean => factors.take(factorKey(key)) !== null
  }
}

function eventOperations({ events }: Store) {
  return {
    addEvents: (added: readonly EventRecord[]): void => {
      for (const event of added) events.insert(rows.toEventRow(event))
    }
  }
}

function deletions(store: Store) {
  const { users, sessions, tokens, records, revocations, evidence, accounts, tickets, factors, events, versions } =
    store
  return {
    deleteUser: (id: string): UserRow | null => {
      tickets.drop(({ userId }) => userId === id)
      for (const table of [records, sessions, evidence, accounts, factors]) table.drop(({ userId }) => userId === id)
      for (const event of events.filter(({ userId }) => userId === id))
        events.replace({ ...event, ...rows.withoutClient })
      const row = versions.get(id)
      if (row) versions.replace({ ...row, deleteAfter: row.until ?? new Date() })
      return users.take(id)
    },
    deleteEvents: (before: Date, limit: number): number => {
      const old = events.filter(({ time }) => time < before).sort(newestFirst)
      const ids = new Set(old.slice(-limit).map(({ id }) => id))
      return limit > 0 ? events.drop(({ id }) => ids.has(id)) : 0
    },
    deleteExpired: (before: Date, limit: number): number =>
      sessions.drop(({ expires }) => expires < before, limit) +
      tokens.drop(({ expires }) => expires < before, limit) +
      records.drop(({ expires }) => expires < before, limit) +
      revocations.drop(({ until }) => until < before, limit) +
      tickets.drop(({ expires }) => expires < before, limit) +
      versions.drop(({ deleteAfter }) => deleteAfter !== null && deleteAfter < before, limit)
  }
}
