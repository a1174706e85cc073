import type { Adapter } from '@postern/core'

/** An adapter whose calls alternate between two adapters, like requests between instances. */
export function shareOut(one: Required<Adapter>, other: Required<Adapter>): Adapter {
  let calls = 0
  const next = () => (calls++ % 2 === 0 ? one : other)
  return {
    createUser: (user) => next().createUser(user),
    getUser: (id) => next().getUser(id),
    getUserByEmail: (email) => next().getUserByEmail(email),
    getUserByAccount: (key) => next().getUserByAccount(key),
    updateUser: (user) => next().updateUser(user),
    deleteUser: (id) => next().deleteUser(id),
    linkAccount: (account) => next().linkAccount(account),
    unlinkAccount: (key) => next().unlinkAccount(key),
    createSession: (session, record) => next().createSession(session, record),
    getSessionAndUser: (sessionToken) => next().getSessionAndUser(sessionToken),
    updateSession: (session) => next().updateSession(session),
    deleteSession: (sessionToken) => next().deleteSession(sessionToken),
    createVerificationToken: (token) => next().createVerificationToken(token),
    useVerificationToken: (pair) => next().useVerificationToken(pair),
    createUserWithAccount: (user, account) => next().createUserWithAccount(user, account),
    updateAccount: (account, expected) => next().updateAccount(account, expected),
    getAccounts: (userId) => next().getAccounts(userId),
    getVerificationToken: (pair) => next().getVerificationToken(pair),
    listSessions: (userId, limit) => next().listSessions(userId, limit),
    deleteSessions: (userId, except) => next().deleteSessions(userId, except),
    withLease: (name, work) => next().withLease(name, work),
    transact: (calls) => next().transact(calls),
    putSessionRecord: (record) => next().putSessionRecord(record),
    getSessionRecords: (query) => next().getSessionRecords(query),
    deleteSessionRecord: (id) => next().deleteSessionRecord(id),
    revoke: (...args) => next().revoke(...args),
    getRevocations: (subjects) => next().getRevocations(subjects),
    listRevocations: (since, limit) => next().listRevocations(since, limit),
    putAccountEvidence: (evidence) => next().putAccountEvidence(evidence),
    getAccountEvidence: (userId) => next().getAccountEvidence(userId),
    createTicket: (ticket) => next().createTicket(ticket),
    readTicket: (key) => next().readTicket(key),
    readTickets: (keys) => next().readTickets(keys),
    countTry: (key) => next().countTry(key),
    consumeTicket: (key) => next().consumeTicket(key),
    deleteTickets: (userId, kind) => next().deleteTickets(userId, kind),
    createFactor: (factor) => next().createFactor(factor),
    getFactor: (key) => next().getFactor(key),
    listFactors: (userId, type) => next().listFactors(userId, type),
    updateFactor: (factor, expectedVersion) => next().updateFactor(factor, expectedVersion),
    deleteFactor: (key) => next().deleteFactor(key),
    addEvents: (events) => next().addEvents(events),
    listEvents: (query) => next().listEvents(query),
    deleteEvents: (before, limit) => next().deleteEvents(before, limit),
    deleteExpired: (before, limit) => next().deleteExpired(before, limit),
    close: async () => {
      await one.close()
      await other.close()
    }
  }
}
