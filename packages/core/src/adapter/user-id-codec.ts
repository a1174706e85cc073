import type { Adapter } from './adapter.ts'

/** Methods that answer with a user. */
const forUsers: ReadonlySet<string> = new Set<keyof Adapter>([
  'createUser',
  'createUserWithAccount',
  'updateUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount'
])

/** Methods that are given the id of a user. */
const byId: ReadonlySet<string> = new Set<keyof Adapter>([
  'getUser',
  'deleteUser',
  'getAccounts',
  'listSessions',
  'deleteSessions'
])

/** Methods that are given something with the id of a user in it. */
const within: { readonly [method: string]: 'id' | 'userId' } = {
  updateUser: 'id',
  linkAccount: 'userId',
  createSession: 'userId',
  updateSession: 'userId'
} satisfies { readonly [M in keyof Adapter]?: 'id' | 'userId' }

type Kind = 'text' | 'number' | 'bigint'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function kindIn(id: unknown): Kind | null {
  if (typeof id === 'string') return 'text'
  if (typeof id === 'bigint') return 'bigint'
  return typeof id === 'number' ? 'number' : null
}

/** The id as a number, where it spells one in the only way there is. */
function counted(id: unknown, kind: Kind | null): unknown {
  if (typeof id !== 'string' || !/^(0|[1-9]\d{0,18})$/.test(id)) return id
  if (kind === 'bigint') return BigInt(id)
  return kind === 'number' && Number.isSafeInteger(Number(id)) ? Number(id) : id
}

/**
 * Knows how a store spells the ids of its users. They are texts to us; a store that counts its users, and minds the
 * difference, is asked with the number that it gave.
 */
export class UserIds {
  #kind: Kind | null = null

  /** Notes what the ids of an answer are. */
  learn(method: string, answer: unknown): void {
    const user = method === 'getSessionAndUser' && isObject(answer) ? answer['user'] : answer
    if (!isObject(user) || !(method === 'getSessionAndUser' || forUsers.has(method))) return
    this.#kind = kindIn(user['id']) ?? this.#kind
  }

  /** @returns What to ask the store with. */
  spelt(method: string, args: readonly unknown[]): readonly unknown[] {
    const [first, ...others] = args
    const name = within[method]
    if (byId.has(method)) return [counted(first, this.#kind), ...others]
    if (name === undefined || !isObject(first)) return args
    const id = counted(first[name], this.#kind)
    return id === first[name] ? args : [{ ...first, [name]: id }, ...others]
  }

  /** @returns The number to look a user up with that a store refused to look up by a text, before it gave any id. */
  another(method: string, [id]: readonly unknown[]): number | null {
    const number = method === 'getUser' && this.#kind === null ? counted(id, 'number') : null
    return typeof number === 'number' ? number : null
  }
}
