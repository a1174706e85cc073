import type { Adapter } from '@postern/core'
import { checkRedisSessions } from './check.ts'
import { createSend } from './client.ts'
import type { RedisOptions } from './options.ts'
import { createRecords } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { sessionMethods } from './sessions.ts'
import { verificationTokenMethods } from './verification-tokens.ts'

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

/**
 * Stores sessions with their records, revocations and one-time tokens in Redis 6.2 or later, Valkey or a cluster of
 * either, and everything else in the given adapter.
 *
 * Reading a session is one command to Redis and one query for its user. Keys expire a minute after their content. Each
 * command uses one key, or two of one slot, and returns a one-time token to one caller only. There is no `transact`,
 * because two stores cannot share a transaction.
 *
 * @throws ConfigError with every problem in the options.
 */
export function withRedisSessions<A extends UserStore>(
  adapter: A,
  options: RedisOptions
): Omit<A, 'transact'> & RedisMethods {
  checkRedisSessions(adapter, options)
  const { client, prefix = 'postern:' } = options
  const { transact, ...users } = adapter
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
    // The user is deleted first: a session without a user is not valid.
    deleteUser: async (id: string) => {
      const user = await adapter.deleteUser(id)
      await sessions.deleteSessions(id)
      for (const record of await sessions.getSessionRecords({ userId: id }))
        await sessions.deleteSessionRecord(record.id)
      return user
    },
    deleteExpired: async (before: Date, limit: number) =>
      ((await adapter.deleteExpired?.(before, limit)) ?? 0) + (await deleteEndedRevocations(before, limit))
  }
}
