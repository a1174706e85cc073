import {
  type AccountKey,
  type EventQuery,
  type FactorKey,
  isSameEmailAddress,
  type Revocation,
  type SessionRecordQuery,
  type TicketKey,
  type UserQuery,
  type UserVersionQuery
} from '@postern/core'
import { AmbiguousAddressError } from '../ambiguous-address-error.ts'
import type { UserRow } from '../user-columns.ts'
import {
  accountKey,
  factorKey,
  type NotedRevocation,
  newestFirst,
  type Store,
  ticketKey,
  tokenKey,
  toVersion
} from './store.ts'

/** The synchronous methods that read. */
export function createQueries(store: Store) {
  return {
    ...userQueries(store),
    ...sessionQueries(store),
    ...revocationQueries(store),
    ...ticketQueries(store),
    ...factorQueries(store)
  }
}

function userQueries({ users, accounts, evidence, versions }: Store) {
  const getUserByEmail = (email: string): UserRow | null => {
    const [exact] = users.filter((user) => user.email === email)
    if (exact) return exact
    const [user = null, ...others] = users.filter((user) => isSameEmailAddress(user.email, email))
    if (user && others.length > 0) throw new AmbiguousAddressError('memory', [user, ...others])
    return user
  }
  const getUserVersion = (userId: string) => {
    const row = versions.get(userId)
    return row && toVersion(row)
  }
  return {
    getUser: (id: string) => users.get(id),
    getUserByEmail,
    getUserByAccount: (key: AccountKey) => {
      const account = accounts.get(accountKey(key))
      return account && users.get(account.userId)
    },
    getUserVersion,
    findUserVersion: (by: UserVersionQuery) => {
      const account = 'account' in by ? accounts.get(accountKey(by.account)) : null
      const userId = 'userId' in by ? by.userId : account?.userId
      const user = 'email' in by ? getUserByEmail(by.email) : userId ? users.get(userId) : null
      return user && { user, version: getUserVersion(user.id), ...(account ? { account } : {}) }
    },
    listUsers: ({ after, limit }: UserQuery) =>
      users.filter(
        ({ id }) => after === null || id > after,
        (found) => found.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit)
      ),
    getAccounts: (userId: string) => accounts.filter((account) => account.userId === userId),
    getAccountEvidence: (userId: string) => evidence.filter((proof) => proof.userId === userId)
  }
}

/** Creates a function that selects the rows that expire last; all without a limit. */
function latest(limit: number | undefined) {
  return <Row extends { readonly expires: Date }>(rows: readonly Row[]): readonly Row[] =>
    limit === undefined
      ? rows
      : rows.toSorted((one, other) => other.expires.getTime() - one.expires.getTime()).slice(0, limit)
}

function sessionQueries({ users, sessions, records, tokens }: Store) {
  return {
    getSessionAndUser: (sessionToken: string) => {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return session && user && { session, user }
    },
    listSessions: (userId: string, limit?: number) =>
      sessions.filter((session) => session.userId === userId, latest(limit)),
    getSessionRecords: (query: SessionRecordQuery) => {
      if ('userId' in query) return records.filter(({ userId }) => userId === query.userId, latest(query.limit))
      if ('id' in query) {
        const record = records.get(query.id)
        return record ? [record] : []
      }
      const { provider, providerSessionId } = query
      return records.filter((record) => record.provider === provider && record.providerSessionId === providerSessionId)
    },
    getVerificationToken: (pair: Parameters<typeof tokenKey>[0]) => tokens.get(tokenKey(pair))
  }
}

const toRevocation = ({ subject, version, until }: NotedRevocation): Revocation => ({ subject, version, until })

function revocationQueries({ revocations }: Store) {
  return {
    getRevocations: (subjects: readonly string[]) =>
      [...new Set(subjects)].flatMap((subject) => revocations.get(subject) ?? []).map(toRevocation),
    listRevocations: (since: Date, limit: number) =>
      revocations
        .filter(({ noted }) => noted >= since.getTime())
        .sort((one, other) => one.noted - other.noted || one.version - other.version)
        .slice(0, limit)
        .map(toRevocation)
  }
}

function ticketQueries({ tickets }: Store) {
  return {
    readTicket: (key: TicketKey) => tickets.get(ticketKey(key)),
    readTickets: (keys: readonly TicketKey[]) =>
      [...new Set(keys.map(ticketKey))].flatMap((key) => tickets.get(key) ?? []),
    listDueTickets: (kind: string, now: Date, max: number) =>
      tickets
        .filter((ticket) => ticket.kind === kind && ticket.dueAt !== null && ticket.dueAt <= now)
        .sort((one, other) => Number(one.dueAt) - Number(other.dueAt))
        .slice(0, max)
  }
}

function factorQueries({ factors, events }: Store) {
  return {
    getFactor: (key: FactorKey) => factors.get(factorKey(key)),
    listFactors: (userId: string, type?: string) =>
      factors
        .filter((factor) => factor.userId === userId && (type === undefined || factor.type === type))
        .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime()),
    listEvents: ({ userId, type, before, limit }: EventQuery) =>
      events.filter(
        (event) =>
          (userId === undefined || event.userId === userId) &&
          (type === undefined || event.type === type) &&
          (before === undefined || newestFirst(event, before) > 0),
        (found) => found.toSorted(newestFirst).slice(0, limit)
      )
  }
}
