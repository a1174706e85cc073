import type { AdapterCall } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { ReadRows, Transaction } from '../adapter/transaction.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Emit, EventPayloads } from '../hooks/events.ts'
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
  isPending: boolean
  /** The version of the new session; `null` if the adapter stores no rows. Without a transaction, `commit` raises it. */
  version: number | null
  /** Runs work on a user while no other change of them runs, if the writes are no transaction. */
  readonly serialize: <T>(userId: string, work: () => Promise<T>) => Promise<T>
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

/**
 * Runs the writes of a sign-in: in one transaction, whose first call requires or changes the row of the user, if the store has
 * transactions.
 *
 * @throws SignInConflict if another change came first.
 */
export function writeSignIn<T>(
  about: SignInRow,
  write: (transaction: SignInTransaction) => Promise<T>,
  userVersions: UserVersions,
  emit: Emit
): Promise<T> {
  const { row, change } = about
  const transaction = userVersions.begin?.(about.read)
  if (transaction) return record(transaction, about, userVersions, emit).then(write)
  const atOnce = executeAtOnce(about, userVersions, emit)
  if (!row || change === 'requires' || !userVersions.store?.versions) return write(atOnce)
  return advance(row, atOnce, change === 'raises', { write, userVersions })
}

/** Records the writes. */
async function record(
  transaction: Transaction,
  { row, change, firstVersion }: SignInRow,
  userVersions: UserVersions,
  emit: Emit
): Promise<SignInTransaction> {
  const { store } = transaction
  const isAdvance = row !== null && store.versions !== null && change !== 'requires'
  const advance = isAdvance
    ? await userVersions.advanceAfter({ userId: row.userId, raises: change === 'raises' }, row)
    : null
  const events: (() => Promise<void>)[] = []
  let required = row
  const signIn: SignInTransaction = {
    store,
    emit: async <E extends keyof EventPayloads>(event: E, payload: EventPayloads[E]) => {
      if (signIn.isPending) events.push(() => emit(event, payload))
      else await emit(event, payload)
    },
    isTransaction: true,
    isPending: true,
    version: advance?.version ?? firstVersion,
    serialize: (_, work) => work(),
    requireRow: (found) => {
      required = found
      signIn.version = found.version
    },
    commit: async () => {
      if (!signIn.isPending) return
      const first: AdapterCall[] = []
      if (advance) first.push({ method: 'advanceUser', args: [advance] })
      else if (required && store.versions)
        first.push({ method: 'requireUserVersion', args: [required.userId, required.version] })
      const outcome = await transaction.commit(first)
      if (outcome.kind !== 'committed') {
        const { reason } = outcome
        throw reason && (outcome.kind === 'unknown' || reason.isOutage) ? reason : new SignInConflict(reason)
      }
      signIn.isPending = false
      if (advance) userVersions.rememberRaise(advance)
      for (const emitNow of events) await emitNow()
    }
  }
  return signIn
}

/** Makes each write at once. */
function executeAtOnce({ firstVersion }: SignInRow, userVersions: UserVersions, emit: Emit): SignInTransaction {
  const { store } = userVersions
  const signIn: SignInTransaction = {
    store,
    emit,
    isTransaction: false,
    isPending: false,
    version: firstVersion,
    serialize: (userId, work) => (store?.versions ? userVersions.serialize(userId, store, work) : work()),
    requireRow: (found) => {
      signIn.version = found.version
    },
    commit: async () => undefined
  }
  return signIn
}

/** Without transactions, the row changes before the writes, which one process at a time makes, and again after them. */
async function advance<T>(
  row: UserVersion,
  atOnce: SignInTransaction,
  raises: boolean,
  {
    write,
    userVersions
  }: { readonly write: (transaction: SignInTransaction) => Promise<T>; readonly userVersions: UserVersions }
): Promise<T> {
  const { store } = userVersions
  if (!store?.versions) throw new TypeError('expected an adapter that stores the rows of users')
  const { versions } = store
  const { userId } = row
  const change = { userId, raises }
  return userVersions.serialize(userId, store, async () => {
    const before = await userVersions.advanceAfter(change, row)
    if (!(await versions.advance(before))) throw new SignInConflict(null)
    let isDone = false
    const signIn: SignInTransaction = {
      ...atOnce,
      version: before.version,
      commit: async () => {
        if (isDone) return
        const { advance: after, isKept } = await userVersions.advanceLast(change, before, versions)
        if (!isKept)
          throw new AuthError('Callback', 'the sessions of the user ended during the sign-in', { status: 401, userId })
        if (raises) await store.deleteSessions?.(userId)
        userVersions.rememberRaise(after)
        signIn.version = after.version
        isDone = true
      }
    }
    return write(signIn)
  })
}
