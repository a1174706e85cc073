import { randomUuid } from '../tokens/random.ts'
import type { AdapterCall, AdapterUser, NewUser } from './adapter.ts'
import type { Store } from './store.ts'

/** Writes that are noted, to be made all at once. */
export interface Transaction {
  /** Reads what is stored; what is written is noted, and answered with what it will be. */
  readonly store: Store
  readonly calls: readonly AdapterCall[]
  /**
   * Makes the calls: all of them take effect, or none.
   *
   * @returns `false`, and nothing has happened, where a one-time token was gone.
   * @throws StoreError nothing has happened, as far as can be seen.
   */
  commit(): Promise<boolean>
}

type Atomically = NonNullable<Store['atomically']>
type Look = NonNullable<Store['getVerificationToken']>

/** Users as they were read or noted, by their id. */
type Users = Map<string, AdapterUser>

/** @returns A transaction, or `null` where the store makes its writes one after another. */
export function transactionOf(store: Store, randomBytes: (size: number) => Uint8Array): Transaction | null {
  const { atomically, getVerificationToken } = store
  if (!atomically || !getVerificationToken) return null
  const calls: AdapterCall[] = []
  const created: AdapterUser[] = []
  const note = (call: AdapterCall): void => void calls.push(call)
  const createUser = (row: NewUser): AdapterUser => {
    const user = { ...row, id: randomUuid(randomBytes) }
    note({ method: 'createUser', args: [{ ...user }] })
    created.push(user)
    return user
  }
  return {
    calls,
    store: noting(store, getVerificationToken, note, createUser),
    commit: async () => {
      const isDone = await made(calls, store, atomically)
      if (isDone) await Promise.all(created.map((user) => complete(user, store)))
      return isDone
    }
  }
}

function noting(
  store: Store,
  look: Look,
  note: (call: AdapterCall) => void,
  create: (row: NewUser) => AdapterUser
): Store {
  const users: Users = new Map()
  const seen = (user: AdapterUser | null): AdapterUser | null => {
    if (user) users.set(user.id, user)
    return user
  }
  const { deleteSessions, unlinkAccount } = store
  return {
    // A refreshed token is written at once: that it could not be written must not take the sign-in with it.
    ...store,
    getUser: async (id) => seen(await store.getUser(id)),
    getUserByEmail: async (email) => seen(await store.getUserByEmail(email)),
    getUserByAccount: async (key) => seen(await store.getUserByAccount(key)),
    createUser: async (row) => create(row),
    createUserWithAccount: async (row, account) => {
      const user = create(row)
      note({ method: 'linkAccount', args: [{ ...account, userId: user.id }] })
      return user
    },
    updateUser: async (changes) => {
      note({ method: 'updateUser', args: [changes] })
      const before = users.get(changes.id) ?? (await store.getUser(changes.id))
      return { email: null, emailVerified: null, ...before, ...changes }
    },
    linkAccount: async (account) => note({ method: 'linkAccount', args: [account] }),
    unlinkAccount: unlinkAccount && (async (key) => note({ method: 'unlinkAccount', args: [key] })),
    createSession: async (session, record) =>
      note({ method: 'createSession', args: record ? [session, record] : [session] }),
    deleteSession: async (token) => note({ method: 'deleteSession', args: [token] }),
    deleteSessions:
      deleteSessions &&
      (async (userId, except) =>
        note({ method: 'deleteSessions', args: except === undefined ? [userId] : [userId, except] })),
    useVerificationToken: async (key) => {
      const row = await look(key)
      if (row) note({ method: 'useVerificationToken', args: [key] })
      return row
    }
  }
}

/** Makes the calls; where it is not known whether they were made, it is looked up, and never tried again. */
async function made(calls: readonly AdapterCall[], store: Store, atomically: Atomically): Promise<boolean> {
  const [first, ...others] = calls
  if (!first) return true
  try {
    if (others.length > 0 || first.method !== 'createSession') return await atomically(calls)
    await store.createSession(...first.args)
    return true
  } catch (error) {
    if (await isThere(calls, store).catch(() => false)) return true
    throw error
  }
}

/** Whether a row is there that only these calls can have made: then all that belongs to it is there too. */
async function isThere(calls: readonly AdapterCall[], store: Store): Promise<boolean> {
  for (const { method, args } of calls) {
    if (method === 'createSession') return (await store.getSessionAndUser(args[0].sessionToken)) !== null
    if (method === 'createUser' && args[0].id) return (await store.getUser(args[0].id)) !== null
  }
  return false
}

/** What the store made of a new user takes the place of what was expected: columns may have defaults of their own. */
async function complete(user: AdapterUser, store: Store): Promise<void> {
  const row = await store.getUser(user.id).catch(() => null)
  if (!row) return
  for (const name of Object.keys(user)) {
    if (!Object.hasOwn(row, name)) Reflect.deleteProperty(user, name)
  }
  Object.assign(user, row)
}
