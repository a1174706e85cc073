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
  'getAccounts',
  'listSessions',
  'deleteSessions'
])

/** Methods whose argument contains a user id. */
const within: { readonly [method: string]: 'id' | 'userId' } = {
  updateUser: 'id',
  linkAccount: 'userId',
  createSession: 'userId',
  updateSession: 'userId'
} satisfies { readonly [M in keyof Adapter]?: 'id' | 'userId' }

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

/**
 * Converts user ids between strings in the core and the store's own type. A store with numeric ids receives the numbers
 * that it returned.
 */
export class UserIdCodec {
  #kind: Kind | null = null

  /** Records the id type of a result. */
  learn(method: string, result: unknown): void {
    const user = method === 'getSessionAndUser' && isObject(result) ? result['user'] : result
    if (!isObject(user) || !(method === 'getSessionAndUser' || forUsers.has(method))) return
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

  /** @returns The numeric id to retry with, after a store failed with a string id before it returned any id. */
  another(method: string, [id]: readonly unknown[]): number | null {
    const number = method === 'getUser' && this.#kind === null ? counted(id, 'number') : null
    return typeof number === 'number' ? number : null
  }
}
