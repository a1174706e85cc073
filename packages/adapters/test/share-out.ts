import type { Adapter } from '@postern/core'

/** An adapter whose calls go to the one and to the other in turn, as requests go to instances. */
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
    listSessions: (userId) => next().listSessions(userId),
    deleteSessions: (userId, except) => next().deleteSessions(userId, except),
    withLease: (name, work) => next().withLease(name, work),
    atomically: (calls) => next().atomically(calls),
    putSessionRecord: (record) => next().putSessionRecord(record),
    getSessionRecords: (query) => next().getSessionRecords(query),
    deleteSessionRecord: (id) => next().deleteSessionRecord(id),
    revoke: (subject, until) => next().revoke(subject, until),
    getRevocations: (subjects) => next().getRevocations(subjects),
    listRevocations: (since, most) => next().listRevocations(since, most),
    deleteExpired: (before, most) => next().deleteExpired(before, most),
    close: async () => {
      await one.close()
      await other.close()
    }
  }
}
