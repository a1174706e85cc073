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
 * Converts user ids between strings in the core and the store's own type. A store with numeric ids receives the numbers
 * that it returned.
 */
export class UserIdCodec {
  #kind: Kind | null = null

  /** Records the id type of a result. */
  learn(method: string, result: unknown): void {
    const user = getUser(method, result)
    if (!isObject(user)) return
    this.#kind = kindIn(user['id']) ?? this.#kind
  }

  /** @returns The arguments for the store. */
  spelt(method: string, args: readonly unknown[]): readonly unknown[] {
    const [first, ...others] = args
    const name = within[method]
    if (byId.has(method)) return [counted(first, this.#kind), ...others]
    if (name === undefined || !isObject(first)) return args
    const id = counted(first[name], this.#kind)
    return id === first[name] ? args : [{ ...first, [name]: id }, ...others]
  }

  /** @returns The arguments to retry with a numeric id, after a store failed with a string before it returned any id. */
  another(method: string, [first, ...others]: readonly unknown[]): readonly unknown[] | null {
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
