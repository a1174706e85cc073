import type { Adapter } from '@postern/core'

/** An adapter that stores users. */
export type UserStore = Adapter & Required<Pick<Adapter, 'getUser' | 'deleteUser'>>

/** The methods that Redis implements. */
export type RedisMethods = Required<
  Pick<
    Adapter,
    | 'createSession'
    | 'getSessionAndUser'
    | 'updateSession'
    | 'deleteSession'
    | 'listSessions'
    | 'deleteSessions'
    | 'putSessionRecord'
    | 'getSessionRecords'
    | 'deleteSessionRecord'
    | 'revoke'
    | 'getRevocations'
    | 'listRevocations'
    | 'createVerificationToken'
    | 'getVerificationToken'
    | 'useVerificationToken'
    | 'deleteExpired'
    | 'deleteUser'
  >
>
