import type { Adapter, AdapterUser } from '@postern/core'
import { checkRedisSessions } from './check.ts'
import { createSend } from './client.ts'
import type { RedisMethods, UserStore } from './methods.ts'
import type { RedisOptions } from './options.ts'
import { createRecords } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { sessionMethods, withoutVersion } from './sessions.ts'
import { createTransact, type TwoStores } from './transact.ts'
import { verificationTokenMethods } from './verification-tokens.ts'

/**
 * Stores sessions with their records, revocations and one-time tokens in Redis 6.2 or later, Valkey or a cluster of
 * either, and everything else in the given adapter.
 *
 * Reading a session is one command to Redis and one query for its user. Keys expire a minute after their content. Each
 * command uses one key, or two of one slot, and returns a one-time token to one caller only. With the versions of users, a
 * session carries the version of its user, so that it ends with the transaction that ends it. A process that ends within a
 * transaction may use up a one-time token.
 *
 * @throws ConfigError with every problem in the options.
 */
export function withRedisSessions<A extends UserStore>(adapter: A, options: RedisOptions): A & RedisMethods {
  checkRedisSessions(adapter, options)
  const { client, prefix = 'postern:' } = options
  const send = createSend(client)
  const getVersion = async (userId: string) => (await adapter.getUserVersion?.(userId)) ?? null
  const records = createRecords(send, prefix)
  const { getSession, createVersioned, deleteOthers, ...sessions } = sessionMethods(send, prefix, records, getVersion)
  const { deleteEndedRevocations, raise, ...revocations } = revocationMethods(send, prefix)
  const tokens = verificationTokenMethods(send, prefix)
  const deleteOwned = async (userId: string): Promise<void> => {
    await sessions.deleteSessions(userId)
    for (const record of await sessions.getSessionRecords({ userId })) await sessions.deleteSessionRecord(record.id)
  }
  const shared = {
    redis: { ...sessions, ...revocations, ...tokens },
    createSession: createVersioned,
    hasSession: async (sessionToken: string) => (await getSession(sessionToken)) !== null,
    deleteOthers,
    deleteOwned,
    raise
  }
  return {
    ...adapter,
    ...sessions,
    ...revocations,
    ...tokens,
    ...versionMethods(adapter, raise),
    ...(hasTransact(adapter) ? { transact: createTransact({ ...shared, users: adapter }) } : {}),
    getSessionAndUser: async (sessionToken: string) => {
      const session = await getSession(sessionToken)
      const found = session && (await findUser(session.userId, adapter))
      if (!session || !found || session.version < found.sessionsFrom) return null
      return { session: withoutVersion(session), user: found.user }
    },
    // The user is deleted first: a session without a user is not valid.
    deleteUser: async (id: string) => {
      const user = await adapter.deleteUser(id)
      await deleteOwned(id)
      return user
    },
    deleteExpired: async (before: Date, limit: number) =>
      ((await adapter.deleteExpired?.(before, limit)) ?? 0) + (await deleteEndedRevocations(before, limit))
  }
}

function hasTransact<A extends UserStore>(adapter: A): adapter is A & Required<Pick<Adapter, 'transact'>> {
  return adapter.transact !== undefined
}

/** A change outside of a transaction revokes in Redis, too. */
function versionMethods(
  { advanceUser, getUserVersion }: UserStore,
  raise: TwoStores['raise']
): Pick<Adapter, 'advanceUser'> {
  if (!advanceUser) return {}
  return {
    advanceUser: async (advance) => {
      const { userId, expected, raises, version, until } = advance
      if (!raises) return advanceUser(advance)
      const isCurrent = expected === null || ((await getUserVersion?.(userId))?.version ?? 0) === expected
      if (!isCurrent) return false
      const undo = await raise(`user:${userId}`, version, until)
      const isMade = await advanceUser(advance)
      const row = isMade ? await getUserVersion?.(userId) : null
      if (!isMade) await undo()
      if (row) await raise(`user:${userId}`, row.sessionsFrom, until)
      return isMade
    }
  }
}

/** Finds a user, and from which version their sessions count. */
async function findUser(
  userId: string,
  { getUser, getUserVersion, findUserVersion }: UserStore
): Promise<{ readonly user: AdapterUser; readonly sessionsFrom: number } | null> {
  if (findUserVersion) {
    const found = await findUserVersion({ userId })
    return found ? { user: found.user, sessionsFrom: found.version?.sessionsFrom ?? 0 } : null
  }
  const user = await getUser(userId)
  const row = user && (await getUserVersion?.(userId))
  return user ? { user, sessionsFrom: row?.sessionsFrom ?? 0 } : null
}
