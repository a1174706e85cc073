import { defineTables } from './schema.ts'

const tables = defineTables()

/** The table `user`, as in Auth.js' Drizzle adapter. */
export const users = tables.users

/** The table `account`, as in Auth.js' Drizzle adapter, with an index on its owner. */
export const accounts = tables.accounts

/** The table `session`, as in Auth.js' Drizzle adapter, with indexes on its owner and its expiry. */
export const sessions = tables.sessions

/** The table `verificationToken`, as in Auth.js' Drizzle adapter, with an index on its expiry. */
export const verificationTokens = tables.verificationTokens

/** The table `postern_lock`: the holder of each lease, and its expiry in milliseconds since 1970. */
export const posternLocks = tables.posternLocks

/** The table `postern_session`: the records of sessions. */
export const posternSessions = tables.posternSessions

/** The table `postern_revocation`: revocations of JWT sessions. */
export const posternRevocations = tables.posternRevocations

/** The table `postern_account`: the email address that each account has proven. */
export const posternAccounts = tables.posternAccounts

/** The table `postern_ticket`: pending operations. */
export const posternTickets = tables.posternTickets

/** The table `postern_factor`: what users authenticate with. */
export const posternFactors = tables.posternFactors

/** The table `postern_event`: security events. */
export const posternEvents = tables.posternEvents

/** The table `postern_user`: what may sign in as each user, by versions. */
export const posternUsers = tables.posternUsers
