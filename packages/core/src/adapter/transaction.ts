import { isLostConnection } from '../errors/transient-errors.ts'
import type { User } from '../model/user.ts'
import { randomUuid } from '../tokens/random.ts'
import type { AdapterCall, AdapterUser, CallOf, NewUser, VerificationToken } from './adapter.ts'
import { type Store, StoreError, type TransactionOutcome } from './store.ts'

/** Records writes, to commit them all at once. */
export interface Transaction {
  /** Reads go to the store; writes are recorded, and return their expected result. */
  readonly store: Store
  readonly calls: readonly AdapterCall[]
  /**
   * Makes the recorded calls in one transaction. After a lost connection that they did not reach, they are made once more.
   *
   * @param first - The calls to make before them: those that require or change the row of a user. @defaultValue none
   */
  commit(first?: readonly AdapterCall[]): Promise<TransactionOutcome>
}

/** Rows that were read before, so that recording a write to them does not read them again. */
export interface ReadRows {
  readonly user: User | null
  readonly verificationToken: VerificationToken | null
}

const noRows: ReadRows = { user: null, verificationToken: null }

/** Begins a transaction. @param read - Rows that were read before. @defaultValue none */
export type BeginTransaction = (read?: ReadRows) => Transaction

/** Creates what begins transactions; `null` if the store does not support them. */
export function createBegin(store: Store, randomBytes: (size: number) => Uint8Array): BeginTransaction | null {
  const { transact } = store
  if (!transact || !store.getVerificationToken) return null
  return (read = noRows) => {
    const calls: AdapterCall[] = []
    const created: AdapterUser[] = []
    const createUser = async (row: NewUser): Promise<AdapterUser> => {
      const id = store.createUserId ? await store.createUserId(row) : randomUuid(randomBytes)
      const user = { ...row, id }
      calls.push({ method: 'createUser', args: [{ ...user }] })
      created.push(user)
      return user
    }
    const commit = async (first: readonly AdapterCall[] = []): Promise<TransactionOutcome> => {
      const all = [...first, ...calls]
      let outcome = await transact(all)
      // A store that is busy, full or gone would only be waited for twice.
      if (outcome.kind === 'aborted' && isLostConnection(outcome.reason)) {
        const repeated = await transact(all)
        // What is refused now may be what the first attempt has written after all: the outcome is unknown.
        if (repeated.kind !== 'aborted' || repeated.reason?.isOutage) outcome = repeated
      }
      if (outcome.kind === 'committed') await Promise.all(created.map((user) => complete(user, store)))
      return outcome
    }
    return { calls, store: recordWrites(store, calls, createUser, read), commit }
  }
}

/** Creates a method whose calls are recorded: each returns what is expected of it. */
function record<M extends AdapterCall['method'], R>(
  calls: AdapterCall[],
  method: M,
  result: R
): (...args: CallOf<M>['args']) => Promise<R>
function record<R>(calls: AdapterCall[], method: AdapterCall['method'], result: R): (...args: never) => Promise<R> {
  return async (...args) => {
    calls.push({ method, args })
    return result
  }
}

/** The store whose writes are recorded. */
function recordWrites(
  store: Store,
  calls: AdapterCall[],
  createUser: Store['createUser'],
  { user: readUser, verificationToken: readToken }: ReadRows
): Store {
  return {
    ...store,
    ...recordParts(store, calls),
    createUser,
    createUserWithAccount: async (row, account) => {
      const user = await createUser(row)
      calls.push({ method: 'linkAccount', args: [{ ...account, userId: user.id }] })
      return user
    },
    updateUser: async (changes) => {
      calls.push({ method: 'updateUser', args: [changes] })
      const before = readUser?.id === changes.id ? readUser : await store.getUser(changes.id)
      const { email = null, emailVerified = null } = before ?? {}
      return { ...before, email, emailVerified, ...changes }
    },
    deleteUser: store.deleteUser && record(calls, 'deleteUser', undefined),
    linkAccount: record(calls, 'linkAccount', undefined),
    unlinkAccount: store.unlinkAccount && record(calls, 'unlinkAccount', undefined),
    updateAccount: store.updateAccount && record(calls, 'updateAccount', true),
    createSession: record(calls, 'createSession', undefined),
    deleteSession: async (token, isRequired = false) =>
      void calls.push({ method: 'deleteSession', args: [token], isRequired }),
    deleteSessions: store.deleteSessions && record(calls, 'deleteSessions', undefined),
    useVerificationToken: async (key) => {
      const isRead = readToken?.identifier === key.identifier && readToken.token === key.token
      const row = isRead ? readToken : ((await store.getVerificationToken?.(key)) ?? null)
      if (row) calls.push({ method: 'useVerificationToken', args: [key] })
      return row
    }
  }
}

/** The parts of the store that an adapter may lack. */
function recordParts({ evidence, tickets, versions, factors, events }: Store, calls: AdapterCall[]) {
  return {
    evidence: evidence && { ...evidence, put: record(calls, 'putAccountEvidence', undefined) },
    tickets: tickets && {
      ...tickets,
      create: record(calls, 'createTicket', undefined),
      consume: async (key) => {
        const ticket = await tickets.read(key)
        if (ticket) calls.push({ method: 'consumeTicket', args: [key] })
        return ticket
      },
      put: tickets.put && record(calls, 'putTicket', true),
      delete: record(calls, 'deleteTickets', undefined)
    },
    versions: versions && {
      ...versions,
      require: record(calls, 'requireUserVersion', true),
      advance: record(calls, 'advanceUser', true),
      requireAddress: record(calls, 'requireAddress', true),
      revoke: record(calls, 'revoke', undefined),
      putSessionRecord: record(calls, 'putSessionRecord', undefined),
      deleteSessionRecord: record(calls, 'deleteSessionRecord', undefined)
    },
    factors: factors && {
      ...factors,
      create: record(calls, 'createFactor', undefined),
      update: record(calls, 'updateFactor', true),
      delete: async (key, isRequired = false) => {
        calls.push({ method: 'deleteFactor', args: [key], isRequired })
        return true
      }
    },
    events: events && { ...events, add: record(calls, 'addEvents', undefined) }
  } satisfies Partial<Store>
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

/** The store's methods that show whether a transaction was committed. */
type Rows = Pick<Store, 'createSession' | 'getSessionAndUser' | 'getUser' | 'tickets' | 'versions'>

/**
 * Creates the method that makes calls in one transaction, and determines its outcome. The calls are not repeated.
 *
 * @param transact - The adapter's method: it returns `false` if it had no effect, and throws if it failed.
 */
export function createTransact(
  transact: (calls: readonly AdapterCall[]) => Promise<boolean>,
  rows: Rows
): NonNullable<Store['transact']> {
  return async (calls) => {
    const [first, ...others] = calls
    if (!first) return { kind: 'committed' }
    try {
      // One insert is atomic without a transaction.
      if (others.length === 0 && first.method === 'createSession') await rows.createSession(...first.args)
      else if (!(await transact(calls))) return { kind: 'aborted', reason: null }
      return { kind: 'committed' }
    } catch (failure) {
      if (!(failure instanceof StoreError)) throw failure
      const error = toReason(failure, calls)
      const change = await findChange(calls, rows).catch(() => null)
      if (change === 'own' || (await isWritten(calls, rows).catch(() => false))) return { kind: 'committed' }
      return { kind: error.isLate || change === 'other' ? 'unknown' : 'aborted', reason: error }
    }
  }
}

/** A transaction that deletes a user is refused for the reasons of a deletion. */
function toReason(failure: StoreError, calls: readonly AdapterCall[]): StoreError {
  if (!calls.some(({ method }) => method === 'deleteUser')) return failure
  const { cause, isLate } = failure
  return new StoreError('deleteUser', null, cause instanceof Error ? cause.cause : cause, isLate)
}

/**
 * What became of the change of a user's row: the `own` one is the last one, the row has `none` of it yet, or an `other` one
 * followed, so that nothing shows whether it was made.
 *
 * @returns `null` if the calls change no row.
 */
async function findChange(
  calls: readonly AdapterCall[],
  { versions }: Pick<Rows, 'versions'>
): Promise<'own' | 'none' | 'other' | null> {
  for (const { method, args } of calls) {
    if (method !== 'advanceUser' || !versions) continue
    const [{ userId, expected, version, changeId }] = args
    const row = await versions.get(userId)
    if (row.changeId === changeId) return 'own'
    const isUnchanged = expected === null ? row.version < version : row.version === expected
    return isUnchanged ? 'none' : 'other'
  }
  return null
}

/** Whether a row exists that only these calls can have created: then the whole transaction was committed. */
async function isWritten(calls: readonly AdapterCall[], rows: Rows): Promise<boolean> {
  for (const { method, args } of calls) {
    if (method === 'createSession') return (await rows.getSessionAndUser(args[0].sessionToken)) !== null
    if (method === 'createUser' && args[0].id) return (await rows.getUser(args[0].id)) !== null
    if (method === 'createTicket') {
      const [{ kind, id, data }] = args
      // The data is encrypted, or names the request.
      if (data !== '') return (await rows.tickets?.read({ kind, id }))?.data === data
    }
  }
  return false
}
