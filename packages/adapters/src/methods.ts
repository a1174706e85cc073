import type { Adapter } from '@postern/core'

type Methods<Name extends keyof Adapter> = Pick<Required<Adapter>, Name>

/** The methods that concern users. */
export type UserMethods = Methods<
  'createUser' | 'getUser' | 'getUserByEmail' | 'getUserByAccount' | 'updateUser' | 'deleteUser'
>

/** The methods that concern accounts at providers. */
export type AccountMethods = Methods<
  'linkAccount' | 'unlinkAccount' | 'createUserWithAccount' | 'updateAccount' | 'getAccounts'
>

/** The methods that concern sessions. */
export type SessionMethods = Methods<
  'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'listSessions' | 'deleteSessions'
>

/** The methods that concern one-time tokens. */
export type VerificationTokenMethods = Methods<
  'createVerificationToken' | 'getVerificationToken' | 'useVerificationToken'
>

/** The methods that concern what is known of sessions. */
export type RecordMethods = Methods<'putSessionRecord' | 'getSessionRecords' | 'deleteSessionRecord'>

/** The method that keeps processes apart. */
export type LeaseMethods = Methods<'withLease'>

/** The method that takes away what is over. */
export type ExpiredMethods = Methods<'deleteExpired'>
