import type { Adapter } from '@postern/core'

type Methods<Name extends keyof Adapter> = Pick<Required<Adapter>, Name>

/** The methods for users. */
export type UserMethods = Methods<
  | 'createUser'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'updateUser'
  | 'deleteUser'
  | 'listUsers'
  | 'findProblems'
  | 'findUserVersion'
>

/** The method that creates ids of users. */
export type UserIdMethods = Methods<'createUserId'>

/** The method that tries whether a user can be deleted. */
export type DeletionMethods = Methods<'checkUserDeletion'>

/** The methods for accounts. */
export type AccountMethods = Methods<
  'linkAccount' | 'unlinkAccount' | 'createUserWithAccount' | 'updateAccount' | 'getAccounts'
>

/** The methods for sessions. */
export type SessionMethods = Methods<
  'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'listSessions' | 'deleteSessions'
>

/** The methods for one-time tokens. */
export type VerificationTokenMethods = Methods<
  'createVerificationToken' | 'getVerificationToken' | 'useVerificationToken'
>

/** The methods for tickets. */
export type TicketMethods = Methods<
  | 'createTicket'
  | 'readTicket'
  | 'readTickets'
  | 'countTry'
  | 'putTicket'
  | 'listDueTickets'
  | 'consumeTicket'
  | 'deleteTickets'
>

/** The methods for the rows that say what may sign in as a user. */
export type UserVersionMethods = Methods<'getUserVersion' | 'requireUserVersion' | 'requireAddress' | 'advanceUser'>

/** The methods for rows with encrypted texts. */
export type EncryptedRowMethods = Methods<'listEncryptedRows' | 'replaceEncryptedTexts'>

/** The method that serializes work across processes. */
export type LeaseMethods = Methods<'withLease'>

/** The methods that delete old rows in batches. */
export type ExpiredMethods = Methods<'deleteExpired' | 'deleteEvents'>
