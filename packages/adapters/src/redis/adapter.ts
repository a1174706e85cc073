import type { Adapter } from '@postern/core'
import { createSend, type RedisClient } from './client.ts'
import { sessionMethods } from './sessions.ts'
import { verificationTokenMethods } from './verification-tokens.ts'

/** What `withRedisSessions` takes besides the adapter of the users. */
export interface RedisOptions {
  /** A client of ioredis, for one server or for a cluster. It stays the application's. */
  readonly client: RedisClient
  /** What all keys begin with. @defaultValue `'postern:'` */
  readonly prefix?: string | undefined
}

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
    | 'createVerificationToken'
    | 'getVerificationToken'
    | 'useVerificationToken'
    | 'deleteUser'
  >
>

/**
 * Keeps sessions and one-time tokens in Redis 6.2 or later, Valkey or a cluster of them, and the rest where it was.
 *
 * Reading a session is one command to Redis and one query for its user. Keys end by themselves, a minute after what
 * they hold. Each command names one key, and gives a one-time token to one caller.
 */
export function withRedisSessions<A extends UserStore>(adapter: A, options: RedisOptions): A & RedisMethods {
  const send = createSend(options.client)
  const prefix = options.prefix ?? 'postern:'
  const { getSession, ...sessions } = sessionMethods(send, prefix)
  return {
    ...adapter,
    ...sessions,
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
    }
  }
}
