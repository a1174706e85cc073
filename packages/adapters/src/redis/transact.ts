import { randomUUID } from 'node:crypto'
import type { Adapter, AdapterCall } from '@postern/core'
import type { RedisMethods, UserStore } from './methods.ts'

type Method = AdapterCall['method']

/** The calls of these methods go to Redis. */
const redisMethods = [
  'createSession',
  'deleteSession',
  'deleteSessions',
  'useVerificationToken',
  'putSessionRecord',
  'deleteSessionRecord',
  'revoke'
] satisfies readonly Method[]

type RedisCall = Extract<AdapterCall, { readonly method: (typeof redisMethods)[number] }>

const isRedisCall = (call: AdapterCall): call is RedisCall => redisMethods.some((method) => method === call.method)

/** Redis, and the store of the users. */
export interface TwoStores {
  readonly users: UserStore & Required<Pick<Adapter, 'transact'>>
  readonly redis: Pick<
    RedisMethods,
    Exclude<(typeof redisMethods)[number], 'createSession'> | 'createVerificationToken' | 'getRevocations'
  >
  /** Creates a session that carries the version of its user. */
  readonly createSession: (version: number, ...args: Parameters<RedisMethods['createSession']>) => Promise<unknown>
  readonly hasSession: (sessionToken: string) => Promise<boolean>
  /** Deletes the sessions of a user except some. */
  readonly deleteOthers: (userId: string, kept: readonly string[]) => Promise<unknown>
  /** Deletes the sessions of a user, and all records. */
  readonly deleteOwned: (userId: string) => Promise<void>
  /** Revokes the tokens of a subject with a lower version. */
  readonly raise: (subject: string, version: number | undefined, until: Date) => Promise<Undo>
}

/**
 * Requires that no end of all sessions was recorded in Redis only, because its transaction failed: a JWT session that begins now would
 * have ended. Then the row of the user follows, and the sign-in has to be repeated.
 */
async function requireFollowed(calls: readonly AdapterCall[], { users, redis }: TwoStores): Promise<void> {
  const begun = calls.flatMap((call) =>
    call.method === 'putSessionRecord' && call.args[0].sessionToken === null ? [call.args[0].userId] : []
  )
  for (const call of calls) {
    if (call.method !== 'requireUserVersion' || !begun.includes(call.args[0])) continue
    const [userId, expected] = call.args
    const [ended] = await redis.getRevocations([`user:${userId}`])
    if (!ended || ended.version <= expected) continue
    const { version, until } = ended
    await users.advanceUser?.({ userId, expected, version, changeId: randomUUID(), raises: false, until })
    throw Object.assign(new Error('redis: the row of the user did not follow a revocation'), { code: 'ECONNRESET' })
  }
}

/** Undoes what was written to Redis. */
type Undo = () => Promise<unknown>

/** The version of each user whom the calls require or change. */
function getVersions(calls: readonly AdapterCall[]): ReadonlyMap<string, number> {
  const versions = new Map<string, number>()
  for (const call of calls) {
    if (call.method === 'requireUserVersion') versions.set(...call.args)
    if (call.method === 'advanceUser') versions.set(call.args[0].userId, call.args[0].version)
  }
  return versions
}

/** Whether the users have the versions that the calls expect: otherwise nothing is written to Redis in vain. */
async function areCurrent(calls: readonly AdapterCall[], { getUserVersion }: UserStore): Promise<boolean> {
  for (const call of calls) {
    const [userId, expected] =
      call.method === 'requireUserVersion'
        ? call.args
        : call.method === 'advanceUser'
          ? [call.args[0].userId, call.args[0].expected]
          : ['', null]
    if (expected !== null && ((await getUserVersion?.(userId))?.version ?? 0) !== expected) return false
  }
  return true
}

/**
 * Makes calls of both stores. What begins, and what ends by itself, is written to Redis before the transaction of the other store;
 * what ends by the version of its user ends with that transaction, and is deleted after it. So is a session that a new one replaces:
 * one that was deleted before could only be written again if the transaction is refused, and somebody may have ended it meanwhile.
 * A process that ends in between leaves a session whose token nobody has, beside the one that it was to replace, or has used up a
 * one-time token.
 */
export function createTransact(stores: TwoStores): Required<Adapter>['transact'] {
  const { users } = stores
  return async (calls) => {
    if (!(await areCurrent(calls, users))) return false
    await requireFollowed(calls, stores)
    const undos: Undo[] = []
    const undo = async (): Promise<false> => {
      for (const each of undos.toReversed()) await each()
      return false
    }
    const begun: Undo[] = []
    const versions = getVersions(calls)
    const isEnd = calls.some(({ method }) => method === 'advanceUser')
    const write = { stores, versions, undos, begun, isEnd }
    try {
      for (const call of calls) if (!(await writeBefore(call, write))) return undo()
    } catch (error) {
      await undo()
      throw error
    }
    const others = calls.filter((call) => !isRedisCall(call))
    try {
      if (others.length > 0 && !(await users.transact(others))) return undo()
    } catch (error) {
      // A key that exists has no effect. Any other outcome may be unknown: what has ended does not return.
      if (error instanceof Error && error.name === 'DuplicateError') await undo()
      else for (const each of begun) await each()
      throw error
    }
    const kept = calls.flatMap((call) => (call.method === 'createSession' ? [call.args[0].sessionToken] : []))
    for (const call of calls) await writeAfter(call, kept, stores)
    return true
  }
}

interface Write {
  readonly stores: TwoStores
  readonly versions: ReadonlyMap<string, number>
  readonly undos: Undo[]
  /** Those of what has begun. */
  readonly begun: Undo[]
  /** Whether what is deleted ends, and is not only replaced. */
  readonly isEnd: boolean
}

/** @returns `false` if a call that is required finds nothing. */
async function writeBefore(call: AdapterCall, { stores, versions, undos, begun, isEnd }: Write): Promise<boolean> {
  const { redis, createSession, hasSession, raise } = stores
  switch (call.method) {
    case 'advanceUser': {
      const [{ raises, userId, version, until }] = call.args
      if (raises) undos.push(await raise(`user:${userId}`, version, until))
      return true
    }
    case 'createSession': {
      const [session] = call.args
      await createSession(versions.get(session.userId) ?? 0, ...call.args)
      const remove = async (): Promise<unknown> => redis.deleteSession(session.sessionToken)
      undos.push(remove)
      begun.push(remove)
      return true
    }
    case 'deleteSession': {
      const { args, isRequired = false } = call
      // Of two requests that replace a session, the version of its user refuses one.
      if (versions.size > 0 && (isRequired || !isEnd)) return !isRequired || hasSession(...args)
      return (await redis.deleteSession(...args)) !== null || !isRequired
    }
    case 'useVerificationToken': {
      const token = await redis.useVerificationToken(...call.args)
      if (token) undos.push(async () => redis.createVerificationToken(token))
      return Boolean(token)
    }
    case 'putSessionRecord': {
      const [{ id }] = call.args
      await redis.putSessionRecord(...call.args)
      undos.push(async () => redis.deleteSessionRecord(id))
      return true
    }
    case 'revoke': {
      const [subject, until, version] = call.args
      undos.push(await raise(subject, version, until))
      return true
    }
    default:
      return true
  }
}

async function writeAfter(
  call: AdapterCall,
  kept: readonly string[],
  { redis, users, raise, deleteOthers, deleteOwned }: TwoStores
): Promise<void> {
  switch (call.method) {
    case 'advanceUser': {
      const [{ raises, userId, until }] = call.args
      // A change that nothing may prevent can write a later version than it has named.
      const row = raises ? await users.getUserVersion?.(userId) : null
      if (row) await raise(`user:${userId}`, row.sessionsFrom, until)
      return
    }
    case 'deleteSession':
      await redis.deleteSession(...call.args)
      return
    case 'deleteSessions': {
      const [userId, except] = call.args
      await deleteOthers(userId, except === undefined ? kept : [...kept, except])
      return
    }
    case 'deleteSessionRecord':
      await redis.deleteSessionRecord(...call.args)
      return
    // After the user: a session without a user is not valid.
    case 'deleteUser':
      await deleteOwned(...call.args)
      return
    default:
  }
}
