import type { AdapterCall } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { ReadRows, Transaction } from '../adapter/transaction.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Emit, EventPayloads } from '../hooks/events.ts'
import type { Provider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import type { ResolvedUser } from './resolved-user.ts'
import { accountChanged, SignInConflict } from './sign-in-errors.ts'

/** What a sign-in remembers when it begins again. */
export interface FirstReads {
  /**
   * The first version of each of its users, by user id. A sign-in that begins again keeps them: what has ended since then ends the
   * sign-in, too.
   */
  readonly firstVersions: Map<string, number>
  /** Whether another change came first, and everything was read again. */
  readonly isRestarted: boolean
}

/** What a sign-in has verified of its user. */
interface ProvenAttempt extends FirstReads {
  readonly provider: Pick<Provider, 'id'>
  /** When a form with a password was submitted, and the version of the user that was read for the proof. */
  readonly proof: { readonly submittedAt: number | null; readonly userVersion?: number | null }
}

/** The user that a sign-in is planned for, and what becomes of them. */
interface PlannedUser {
  readonly kind: ResolvedUser['kind']
  readonly user: Pick<User, 'id'> | null
}

/** The error of a sign-in whose proof is older than an end of the user's sessions. */
function createEndedError({ proof, provider }: ProvenAttempt, kind: ResolvedUser['kind'], userId: string): AuthError {
  if (kind === 'linked') return accountChanged(provider.id)
  const message = `${provider.id}: the sessions of the user ended during the sign-in`
  if (proof.submittedAt !== null) return new AuthError('CredentialsSignin', message, { userId })
  return new AuthError('Callback', message, { status: 401, userId })
}

/**
 * Requires that a user is not suspended, and that their sessions have not ended since the sign-in read them first.
 *
 * @throws AuthError `UserSuspended`, `Callback`, `CredentialsSignin`, `OAuthAccountNotLinked`
 */
function requireUsableRow(
  attempt: ProvenAttempt,
  kind: ResolvedUser['kind'],
  { userId, suspendedAt, sessionsFrom }: UserVersion,
  firstVersion: number
): void {
  const { id } = attempt.provider
  if (suspendedAt) throw new AuthError('UserSuspended', `${id}: the user is suspended`, { userId })
  if (sessionsFrom > firstVersion) throw createEndedError(attempt, kind, userId)
}

/**
 * Requires that the user of a plan may sign in, as their row was read.
 *
 * @returns The version that was read first; `null` if the adapter stores no rows.
 * @throws AuthError `UserSuspended`, `Callback`, `CredentialsSignin`, `OAuthAccountNotLinked`
 */
export function requireUsable(
  attempt: ProvenAttempt,
  { kind, row }: PlannedUser & { readonly row: UserVersion | null },
  store: Store | null
): number | null {
  if (!store?.versions) return null
  // A new user without a row.
  if (!row) return 0
  const { proof, firstVersions, isRestarted } = attempt
  const { userId, version, sessionsFrom } = row
  // The sessions of a user who was found only when everything was read again may have ended in between.
  const first = firstVersions.get(userId) ?? (isRestarted ? 0 : version)
  firstVersions.set(userId, first)
  requireUsableRow(attempt, kind, row, first)
  const { submittedAt, userVersion = null } = proof
  // Nothing else tells when the application has compared the password of a form, so one that arrives in the same millisecond came
  // before, too.
  if (submittedAt !== null && userVersion === null && sessionsFrom >= submittedAt)
    throw createEndedError(attempt, kind, userId)
  return first
}

/**
 * Requires the same after a sign-in was written to a store without transactions.
 *
 * @param version - That of the session.
 * @throws AuthError `UserSuspended`, `Callback`, `CredentialsSignin`, `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function requireStillActive(
  attempt: ProvenAttempt,
  { kind, user }: PlannedUser,
  version: number | null,
  { versions }: Store
): Promise<void> {
  if (!versions || !user || version === null) return
  requireUsableRow(attempt, kind, await versions.get(user.id), version)
}

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
