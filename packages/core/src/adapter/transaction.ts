import { randomUuid } from '../tokens/random.ts'
import type { AdapterCall, AdapterUser, NewUser, VerificationToken } from './adapter.ts'
import type {
  EventStore,
  EvidenceStore,
  FactorStore,
  Store,
  TicketStore,
  TransactionOutcome,
  VersionStore
} from './store.ts'

/** Records writes, to commit them all at once. */
export interface Transaction {
  /** Reads go to the store; writes are recorded, and return their expected result. */
  readonly store: Store
  readonly calls: readonly AdapterCall[]
  /**
   * Makes the recorded calls in one transaction.
   *
   * @param first - Calls to make before them. @defaultValue none
   */
  commit(first?: readonly AdapterCall[]): Promise<TransactionOutcome>
}

type Look = NonNullable<Store['getVerificationToken']>

/** Records a call. */
type Note = (call: AdapterCall) => void

/** Users that were read or recorded, by id. */
type Users = Map<string, AdapterUser>

/** Rows that were read before, so that recording a write to them does not read them again. */
export interface ReadRows {
  readonly user: AdapterUser | null
  readonly verificationToken: VerificationToken | null
}

const noRows: ReadRows = { user: null, verificationToken: null }

/** @returns A transaction, or `null` if the store does not support one. */
export function createTransaction(
  store: Store,
  randomBytes: (size: number) => Uint8Array,
  { user: readUser, verificationToken: readToken }: ReadRows = noRows
): Transaction | null {
  const { transact, getVerificationToken } = store
  if (!transact || !getVerificationToken) return null
  const isRead = ({ identifier, token }: Parameters<Look>[0]): boolean =>
    readToken?.identifier === identifier && readToken.token === token
  const look: Look = async (key) => (isRead(key) ? readToken : getVerificationToken(key))
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
    store: recordWrites(store, look, note, { create: createUser, read: readUser }),
    commit: async (first = []) => {
      const outcome = await transact([...first, ...calls])
      if (outcome.kind === 'committed') await Promise.all(created.map((user) => complete(user, store)))
      return outcome
    }
  }
}

/** How the users of a transaction are created, and the one that was read before. */
interface RecordedUsers {
  readonly create: (row: NewUser) => Promise<AdapterUser>
  readonly read: AdapterUser | null
}

function recordWrites(store: Store, look: Look, note: Note, users: RecordedUsers): Store {
  const { evidence, tickets, versions, factors, events } = store
  return {
    ...store,
    ...recordUsers(store, note, users),
    ...recordSessions(store, note),
    useVerificationToken: async (key) => {
      const row = await look(key)
      if (row) note({ method: 'useVerificationToken', args: [key] })
      return row
    },
    evidence: evidence && recordEvidence(evidence, note),
    tickets: tickets && recordTickets(tickets, note),
    versions: versions && recordVersions(versions, note),
    factors: factors && recordFactors(factors, note),
    events: events && recordEvents(events, note)
  }
}

/** Users and their accounts. */
function recordUsers(store: Store, note: Note, { create, read }: RecordedUsers) {
  const users: Users = new Map(read ? [[read.id, read]] : [])
  const seen = (user: AdapterUser | null): AdapterUser | null => {
    if (user) users.set(user.id, user)
    return user
  }
  const { unlinkAccount, updateAccount } = store
  return {
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
    updateAccount:
      updateAccount &&
      (async (account, expected) => {
        note({ method: 'updateAccount', args: expected ? [account, expected] : [account] })
        return true
      }),
    unlinkAccount: unlinkAccount && (async (key) => note({ method: 'unlinkAccount', args: [key] }))
  } satisfies Partial<Store>
}

function recordSessions({ deleteSessions }: Store, note: Note) {
  return {
    createSession: async (session, record) =>
      note({ method: 'createSession', args: record ? [session, record] : [session] }),
    deleteSession: async (token, isRequired = false) =>
      note({ method: 'deleteSession', args: [token], ...(isRequired ? { isRequired } : {}) }),
    deleteSessions:
      deleteSessions &&
      (async (userId, except) =>
        note({ method: 'deleteSessions', args: except === undefined ? [userId] : [userId, except] }))
  } satisfies Partial<Store>
}

function recordEvidence(evidence: EvidenceStore, note: Note): EvidenceStore {
  return { ...evidence, put: async (row) => note({ method: 'putAccountEvidence', args: [row] }) }
}

function recordTickets(tickets: TicketStore, note: Note): TicketStore {
  return {
    ...tickets,
    create: async (ticket) => note({ method: 'createTicket', args: [ticket] }),
    consume: async (key) => {
      const ticket = await tickets.read(key)
      if (ticket) note({ method: 'consumeTicket', args: [key] })
      return ticket
    },
    put:
      tickets.put &&
      (async (ticket, expected) => {
        note({ method: 'putTicket', args: [ticket, expected] })
        return true
      }),
    delete: async (userId, kind) =>
      note({ method: 'deleteTickets', args: kind === undefined ? [userId] : [userId, kind] })
  }
}

function recordVersions(versions: VersionStore, note: Note): VersionStore {
  const required = (call: AdapterCall): boolean => {
    note(call)
    return true
  }
  return {
    ...versions,
    require: async (userId, version) => required({ method: 'requireUserVersion', args: [userId, version] }),
    advance: async (advance) => required({ method: 'advanceUser', args: [advance] }),
    requireAddress: async (userId, email) => required({ method: 'requireAddress', args: [userId, email] }),
    revoke: async (subject, until) => note({ method: 'revoke', args: [subject, until] }),
    putSessionRecord: async (record) => note({ method: 'putSessionRecord', args: [record] }),
    deleteSessionRecord: async (id) => note({ method: 'deleteSessionRecord', args: [id] })
  }
}

function recordFactors(factors: FactorStore, note: Note): FactorStore {
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

function recordEvents(events: EventStore, note: Note): EventStore {
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
