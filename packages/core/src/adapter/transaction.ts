import { randomUuid } from '../tokens/random.ts'
import type { AdapterCall, AdapterUser, NewUser } from './adapter.ts'
import type { EventStore, EvidenceStore, FactorStore, Store, TicketStore, TransactionOutcome } from './store.ts'

/** Records writes, to commit them all at once. */
export interface Transaction {
  /** Reads go to the store; writes are recorded, and return their expected result. */
  readonly store: Store
  readonly calls: readonly AdapterCall[]
  /** Makes the recorded calls in one transaction. */
  commit(): Promise<TransactionOutcome>
}

type Look = NonNullable<Store['getVerificationToken']>

/** Users that were read or recorded, by id. */
type Users = Map<string, AdapterUser>

/** @returns A transaction, or `null` if the store does not support one. */
export function createTransaction(store: Store, randomBytes: (size: number) => Uint8Array): Transaction | null {
  const { transact, getVerificationToken } = store
  if (!transact || !getVerificationToken) return null
  const calls: AdapterCall[] = []
  const created: AdapterUser[] = []
  const note = (call: AdapterCall): void => void calls.push(call)
  const createUser = async (row: NewUser): Promise<AdapterUser> => {
    const id = store.createUserId ? await store.createUserId(row) : randomUuid(randomBytes)
    const user = { ...row, id }
    note({ method: 'createUser', args: [{ ...user }] })
    created.push(user)
    return user
  }
  return {
    calls,
    store: recordWrites(store, getVerificationToken, note, createUser),
    commit: async () => {
      const outcome = await transact(calls)
      if (outcome.kind === 'committed') await Promise.all(created.map((user) => complete(user, store)))
      return outcome
    }
  }
}

function recordWrites(
  store: Store,
  look: Look,
  note: (call: AdapterCall) => void,
  create: (row: NewUser) => Promise<AdapterUser>
): Store {
  const users: Users = new Map()
  const seen = (user: AdapterUser | null): AdapterUser | null => {
    if (user) users.set(user.id, user)
    return user
  }
  const { deleteSessions, unlinkAccount, evidence, tickets, factors, events } = store
  return {
    // A refreshed token is written immediately: a failure must not abort the sign-in.
    ...store,
    getUser: async (id) => seen(await store.getUser(id)),
    getUserByEmail: async (email) => seen(await store.getUserByEmail(email)),
    getUserByAccount: async (key) => seen(await store.getUserByAccount(key)),
    createUser: create,
    createUserWithAccount: async (row, account) => {
      const user = await create(row)
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
    deleteSession: async (token, isRequired = false) =>
      note({ method: 'deleteSession', args: [token], ...(isRequired ? { isRequired } : {}) }),
    deleteSessions:
      deleteSessions &&
      (async (userId, except) =>
        note({ method: 'deleteSessions', args: except === undefined ? [userId] : [userId, except] })),
    useVerificationToken: async (key) => {
      const row = await look(key)
      if (row) note({ method: 'useVerificationToken', args: [key] })
      return row
    },
    evidence: evidence && recordEvidence(evidence, note),
    tickets: tickets && recordTickets(tickets, note),
    factors: factors && recordFactors(factors, note),
    events: events && recordEvents(events, note)
  }
}

function recordEvidence(evidence: EvidenceStore, note: (call: AdapterCall) => void): EvidenceStore {
  return { ...evidence, put: async (row) => note({ method: 'putAccountEvidence', args: [row] }) }
}

function recordTickets(tickets: TicketStore, note: (call: AdapterCall) => void): TicketStore {
  return {
    ...tickets,
    create: async (ticket) => note({ method: 'createTicket', args: [ticket] }),
    consume: async (key) => {
      const ticket = await tickets.read(key)
      if (ticket) note({ method: 'consumeTicket', args: [key] })
      return ticket
    },
    delete: async (userId, kind) =>
      note({ method: 'deleteTickets', args: kind === undefined ? [userId] : [userId, kind] })
  }
}

function recordFactors(factors: FactorStore, note: (call: AdapterCall) => void): FactorStore {
  return {
    ...factors,
    create: async (factor) => note({ method: 'createFactor', args: [factor] }),
    update: async (factor, expectedVersion) => {
      note({ method: 'updateFactor', args: [factor, expectedVersion] })
      return true
    },
    delete: async (key, isRequired = false) => {
      note({ method: 'deleteFactor', args: [key], ...(isRequired ? { isRequired } : {}) })
      return true
    }
  }
}

function recordEvents(events: EventStore, note: (call: AdapterCall) => void): EventStore {
  return { ...events, add: async (added) => note({ method: 'addEvents', args: [added] }) }
}

/** Replaces the expected user with the stored one: columns may have defaults. */
async function complete(user: AdapterUser, store: Store): Promise<void> {
  const row = await store.getUser(user.id).catch(() => null)
  if (!row) return
  for (const name of Object.keys(user)) {
    if (!Object.hasOwn(row, name)) Reflect.deleteProperty(user, name)
  }
  Object.assign(user, row)
}
