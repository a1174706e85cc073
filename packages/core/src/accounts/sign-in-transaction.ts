import type { AdapterCall } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { createTransaction, type ReadRows, type Transaction } from '../adapter/transaction.ts'
import type { UserAdvance, UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Emit, EventPayloads } from '../hooks/events.ts'
import type { Runtime } from '../model/runtime.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import { SignInConflict } from './sign-in-conflict.ts'

/** What a sign-in requires of the row of its user when it writes. */
export type RowChange =
  /** The row is as it was read. */
  | 'requires'
  /** It is as it was read, and the version rises. */
  | 'advances'
  /** The same, and every earlier session ends. */
  | 'raises'

/** The row of a sign-in. */
export interface SignInRow {
  /** As it was read; `null` if there is none to require: the user is new, or the adapter stores no rows. */
  readonly row: UserVersion | null
  readonly change: RowChange
  /** The version that was read first. */
  readonly firstVersion: number | null
  /** Rows that were read before, so that writes to them do not read them again. */
  readonly read: ReadRows
}

/** The writes and events of a sign-in. */
export interface SignInTransaction {
  readonly store: Store | null
  readonly emit: Emit
  /** Whether the writes are one transaction. */
  readonly isTransaction: boolean
  /** Whether writes are recorded and not yet committed. */
  readonly isPending: () => boolean
  /** Runs work on a user while no other change of them runs, if the writes are no transaction. */
  readonly serialize: <T>(userId: string, work: () => Promise<T>) => Promise<T>
  /** The version of the new session; `null` if the adapter stores no rows. Without a transaction, `commit` raises it. */
  readonly getVersion: () => number | null
  /** Requires the row of a new user: a deleted one may have had the same id. */
  readonly requireRow: (row: UserVersion) => void
  /**
   * Commits the recorded writes, and then emits their events. Later writes and events take effect immediately.
   *
   * @throws SignInConflict if nothing was written, because another change came first.
   * @throws AuthError `StoreUnavailable`; `Callback` if the sessions of the user have ended since.
   */
  readonly commit: () => Promise<void>
}

/** What sign-ins are written with. */
export interface SignInTransactionDeps {
  readonly store: Store | null
  readonly emit: Emit
  readonly userVersions: UserVersions
  readonly runtime: Pick<Runtime, 'randomBytes'>
}

/**
 * Runs the writes of a sign-in: in one transaction, whose first call requires or changes the row of the user, if the store has
 * transactions.
 *
 * @throws SignInConflict if another change came first.
 */
export async function writeSignIn<T>(
  about: SignInRow,
  write: (transaction: SignInTransaction) => Promise<T>,
  deps: SignInTransactionDeps
): Promise<T> {
  const { store, runtime } = deps
  const transaction = store && createTransaction(store, runtime.randomBytes, about.read)
  if (store && transaction) return write(await record(transaction, about, deps))
  const { row, change } = about
  if (store?.versions && row && change !== 'requires') return advance(row, about, write, { ...deps, store })
  return write(executeAtOnce(about, deps))
}

const toAccessChange = ({ userId }: UserVersion, change: RowChange) => ({ userId, raises: change === 'raises' })

/** Records the writes. */
async function record(
  transaction: Transaction,
  { row, change, firstVersion }: SignInRow,
  { store, emit, userVersions }: SignInTransactionDeps
): Promise<SignInTransaction> {
  const isAdvance = row !== null && store?.versions && change !== 'requires'
  const advance = isAdvance ? await userVersions.advanceAfter(toAccessChange(row, change), row) : null
  const pendingEvents: (() => Promise<void>)[] = []
  let isPending = true
  let required = row
  let version = advance?.version ?? firstVersion
  return {
    store: transaction.store,
    emit: async <E extends keyof EventPayloads>(event: E, payload: EventPayloads[E]) => {
      if (isPending) pendingEvents.push(() => emit(event, payload))
      else await emit(event, payload)
    },
    isTransaction: true,
    isPending: () => isPending,
    serialize: (_, work) => work(),
    getVersion: () => version,
    requireRow: (found) => {
      required = found
      version = found.version
    },
    commit: async () => {
      if (!isPending) return
      await requireCommitted(transaction, toFirstCall(required, advance, store))
      isPending = false
      if (advance) userVersions.rememberRaise(advance)
      for (const emitNow of pendingEvents) await emitNow()
    }
  }
}

function toFirstCall(
  row: UserVersion | null,
  advance: UserAdvance | null,
  store: Store | null
): readonly AdapterCall[] {
  if (!row || !store?.versions) return []
  if (advance) return [{ method: 'advanceUser', args: [advance] }]
  return [{ method: 'requireUserVersion', args: [row.userId, row.version] }]
}

/** @throws SignInConflict, StoreError */
async function requireCommitted(transaction: Transaction, first: readonly AdapterCall[]): Promise<void> {
  const outcome = await transaction.commit(first)
  if (outcome.kind === 'committed') return
  const { reason } = outcome
  if (reason && (outcome.kind === 'unknown' || reason.isOutage)) throw reason
  throw new SignInConflict(reason)
}

/** Makes each write at once. */
function executeAtOnce(
  { firstVersion }: Pick<SignInRow, 'firstVersion'>,
  { store, emit, userVersions }: SignInTransactionDeps
): SignInTransaction {
  let version = firstVersion
  return {
    store,
    emit,
    isTransaction: false,
    isPending: () => false,
    serialize: (userId, work) => (store?.versions ? userVersions.serialize(userId, store, work) : work()),
    getVersion: () => version,
    requireRow: (found) => {
      version = found.version
    },
    commit: async () => undefined
  }
}

/** Without transactions, the row changes before the writes, which one process at a time makes, and again after them. */
async function advance<T>(
  row: UserVersion,
  about: SignInRow,
  write: (transaction: SignInTransaction) => Promise<T>,
  deps: SignInTransactionDeps & { readonly store: Store }
): Promise<T> {
  const { store, userVersions } = deps
  const { versions } = store
  if (!versions) throw new TypeError('expected an adapter that stores the rows of users')
  const { userId } = row
  const change = toAccessChange(row, about.change)
  return userVersions.serialize(userId, store, async () => {
    const before = await userVersions.advanceAfter(change, row)
    if (!(await versions.advance(before))) throw new SignInConflict(null)
    let { version } = before
    let isDone = false
    const commit = async (): Promise<void> => {
      if (isDone) return
      const { advance: after, isKept } = await userVersions.advanceLast(change, before, versions)
      if (!isKept)
        throw new AuthError('Callback', 'the sessions of the user ended during the sign-in', { status: 401, userId })
      if (change.raises) await store.deleteSessions?.(userId)
      userVersions.rememberRaise(after)
      version = after.version
      isDone = true
    }
    return write({ ...executeAtOnce(about, deps), getVersion: () => version, commit })
  })
}
