import type { Adapter } from '@postern/core'
import { checkRedisSessions } from './check.ts'
import { createSend } from './client.ts'
import type { RedisOptions } from './options.ts'
import { createRecords } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { sessionMethods } from './sessions.ts'
import { verificationTokenMethods } from './verification-tokens.ts'

/** An adapter that knows its users. */
export type UserStore = Adapter & Required<Pick<Adapter, 'getUser' | 'deleteUser'>>

/** The methods that Redis answers. */
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

/**
 * Keeps sessions with their records, revocations and one-time tokens in Redis 6.2 or later, Valkey or a cluster of them,
 * and the rest where it was.
 *
 * Reading a session is one command to Redis and one query for its user. Keys end by themselves, a minute after what
 * they hold. Each command names one key, or two of one slot, and gives a one-time token to one caller. Two stores have
 * no transaction in common, so `atomically` is not there.
 *
 * @throws ConfigError with every mistake in the options.
 */
export function withRedisSessions<A extends UserStore>(
  adapter: A,
  options: RedisOptions
): Omit<A, 'atomically'> & RedisMethods {
  checkRedisSessions(adapter, options)
  const { client, prefix = 'postern:' } = options
  const { atomically, ...users } = adapter
  const send = createSend(client)
  const { getSession, ...sessions } = sessionMethods(send, prefix, createRecords(send, prefix))
  const { deleteEndedRevocations, ...revocations } = revocationMethods(send, prefix)
  return {
    ...users,
    ...sessions,
    ...revocations,
    ...verificationTokenMethods(send, prefix),
    getSessionAndUser: async (sessionToken: string) => {
      const session = await getSession(sessionToken)
      const user = session && (await adapter.getUser(session.userId))
      return session && user ? { session, user } : null
    },
    // The user first: a session without one signs nobody in.
    deleteUser: async (id: string) => {
      const user = await adapter.deleteUser(id)
      await sessions.deleteSessions(id)
      return user
    },
    deleteExpired: async (before: Date, most: number) =>
      ((await adapter.deleteExpired?.(before, most)) ?? 0) + (await deleteEndedRevocations(before, most))
  }
}
