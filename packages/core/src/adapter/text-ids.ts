import { isObject } from '../model/json-object.ts'
import type { Adapter } from './adapter.ts'

/** Methods that return a user. */
const forUsers: ReadonlySet<string> = new Set<keyof Adapter>([
  'createUser',
  'createUserWithAccount',
  'updateUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount'
])

/** Methods whose argument is a user id. */
const byId: ReadonlySet<string> = new Set<keyof Adapter>([
  'getUser',
  'deleteUser',
  'checkUserDeletion',
  'getAccounts',
  'listSessions',
  'deleteSessions'
])

/** Methods whose argument contains a user id. */
const within: { readonly [method: string]: 'id' | 'userId' | 'after' } = {
  updateUser: 'id',
  linkAccount: 'userId',
  createSession: 'userId',
  updateSession: 'userId',
  listUsers: 'after'
} satisfies { readonly [M in keyof Adapter]?: 'id' | 'userId' | 'after' }

type Kind = 'text' | 'number' | 'bigint'

function kindIn(id: unknown): Kind | null {
  if (typeof id === 'string') return 'text'
  if (typeof id === 'bigint') return 'bigint'
  return typeof id === 'number' ? 'number' : null
}

/** Converts an id to a number if it is written in canonical form. */
function counted(id: unknown, kind: Kind | null): unknown {
  if (typeof id !== 'string' || !/^(0|[1-9]\d{0,18})$/.test(id)) return id
  if (kind === 'bigint') return BigInt(id)
  return kind === 'number' && Number.isSafeInteger(Number(id)) ? Number(id) : id
}

/** The user in the result of a method; the first one of a list. */
function getUser(method: string, result: unknown): unknown {
  if (method === 'getSessionAndUser') return isObject(result) ? result['user'] : null
  if (method === 'listUsers') return Array.isArray(result) ? result[0] : null
  return forUsers.has(method) ? result : null
}

/**
 * A number beyond 2^53 was rounded and may be the id of several users: it stays a number, which no validator accepts.
 */
const isCount = (value: unknown): value is number | bigint => Number.isSafeInteger(value) || typeof value === 'bigint'

/** Converts the numeric ids of a result to strings. */
function withTextIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextIds)
  if (!isObject(value)) return value
  const { id, userId, session, user } = value
  if (isCount(id) || isCount(userId))
    return {
      ...value,
      ...(isCount(id) ? { id: String(id) } : {}),
      ...(isCount(userId) ? { userId: String(userId) } : {})
    }
  const isPair = isObject(session) && isObject(user) && (isCount(session['userId']) || isCount(user['id']))
  return isPair ? { ...value, session: withTextIds(session), user: withTextIds(user) } : value
}

/**
 * Converts user ids between strings in the core and the store's own type. A store with numeric ids receives the numbers
 * that it returned.
 */
export class TextIds {
  #kind: Kind | null = null

  /** Calls a method. A failed query for a user is repeated once with the id as a number. */
  async call(method: string, args: readonly unknown[], call: (args: readonly unknown[]) => unknown): Promise<unknown> {
    try {
      return await this.#ask(method, this.#spell(method, args), call)
    } catch (error) {
      const others = this.#spellAsNumber(method, args)
      const user = others && (await this.#ask(method, others, call).catch(() => null))
      // Accept the retry only if it finds a user.
      if (!user) throw error
      return user
    }
  }

  /** Records the type of the id in a result. */
  async #ask(method: string, args: readonly unknown[], call: (args: readonly unknown[]) => unknown): Promise<unknown> {
    const result = await call(args)
    const user = getUser(method, result)
    if (isObject(user)) this.#kind = kindIn(user['id']) ?? this.#kind
    return withTextIds(result)
  }

  /** @returns The arguments for the store. */
  #spell(method: string, args: readonly unknown[]): readonly unknown[] {
    const [first, ...others] = args
    const name = within[method]
    if (byId.has(method)) return [counted(first, this.#kind), ...others]
    if (name === undefined || !isObject(first)) return args
    const id = counted(first[name], this.#kind)
    return id === first[name] ? args : [{ ...first, [name]: id }, ...others]
  }

  /** @returns The arguments to retry with a numeric id, after a store failed with a string before it returned any id. */
  #spellAsNumber(method: string, [first, ...others]: readonly unknown[]): readonly unknown[] | null {
    if (this.#kind !== null) return null
    if (method === 'getUser') {
      const number = counted(first, 'number')
      return typeof number === 'number' ? [number] : null
    }
    if (method !== 'listUsers' || !isObject(first)) return null
    const after = counted(first['after'], 'number')
    return typeof after === 'number' ? [{ ...first, after }, ...others] : null
  }
}
