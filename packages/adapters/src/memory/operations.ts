import { randomUUID } from 'node:crypto'
import type {
  Account,
  AccountEvidence,
  AdapterSession,
  EventRecord,
  Factor,
  FactorKey,
  NewUser,
  Ticket,
  TicketKey,
  VerificationToken
} from '@postern/core'
import type { CallMethods } from '../calls.ts'
import * as rows from '../rows.ts'
import { toUserPatch, toUserRow, type UserRow } from '../user-columns.ts'
import {
  accountKey,
  factorKey,
  requireFreeEmail,
  requireOwnSession,
  requireUser,
  type Store,
  ticketKey,
  tokenKey
} from './store.ts'

/** The synchronous operations, which a transaction may contain. */
export function createOperations(store: Store) {
  return {
    ...userOperations(store),
    ...accountOperations(store),
    ...sessionOperations(store),
    ...ticketOperations(store),
    ...factorOperations(store),
    ...eventOperations(store)
  } satisfies CallMethods
}

function userOperations(store: Store) {
  const { users } = store
  return {
    createUser: (user: NewUser): UserRow => {
      const row = toUserRow(user, user.id || randomUUID())
      requireFreeEmail(store, row)
      return users.insert(row)
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
    useVerificationToken: (pair: { identifier: string; token: string }): VerificationToken | null =>
      tokens.take(tokenKey(pair))
  }
}

function ticketOperations({ tickets }: Store) {
  return {
    createTicket: (ticket: Ticket): rows.TicketRow => tickets.insert(rows.toTicketRow(ticket)),
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
