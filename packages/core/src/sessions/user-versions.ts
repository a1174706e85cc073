import type { Store, VersionStore } from '../adapter/store.ts'
import { type BeginTransaction, createBegin, type Transaction } from '../adapter/transaction.ts'
import { noUserVersion, type UserAdvance, type UserVersion } from '../adapter/user-version.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import { AccountError } from '../errors/account-error.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { EndedSession, FeatureHooks } from '../hooks/feature-hooks.ts'
import {
  addRecords,
  applyCalls,
  applyChanges,
  createSecurityEvent,
  type FeatureCall,
  type NewSecurityEvent,
  type SecurityEvent
} from '../hooks/security-event.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import { listKindsThatEndWith } from '../model/ticket-kinds.ts'
import { weakMemoize } from '../model/weak-memoize.ts'
import { randomUuid } from '../tokens/random.ts'
import type { JwtSessionRegistry } from './jwt-session-registry.ts'
import { getUserSubject, type RevocationList } from './revocation-list.ts'
import type { ActingSession, EndSession } from './strategy.ts'

/** A change of what a user can sign in with, or an end of sessions. */
export interface AccessChange {
  readonly userId: string
  /** Whether all sessions end, except the acting one. */
  readonly raises: boolean
  /** The session that asks for the change; it gets a new token. @defaultValue none */
  readonly acting?: ActingSession | null | undefined
  /** Whether the acting session gets no new token: no credential changes, or it ends with the others. @defaultValue false */
  readonly keepsToken?: boolean | undefined
  /**
   * Whether no other change may prevent this one, as when the application ends sessions, or suspends or deletes a user; `at last`
   * first tries as often as other changes do.
   */
  readonly isForced?: boolean | 'at last' | undefined
  /** @defaultValue unchanged */
  readonly suspendedAt?: Date | null | undefined
  /** Whether the user is deleted: the row does not stay for ever. @defaultValue false */
  readonly isGone?: boolean | undefined
  /** What has happened, for the features and the audit log. */
  readonly events?: readonly NewSecurityEvent[] | undefined
  /** The sessions that end by this, for the features and the audit log: a function is called after the writes. */
  readonly ended?: EndedSession | null | undefined | (() => readonly EndedSession[])
}

/** What a change has done. */
export interface ChangedAccess<T> {
  readonly result: T
  /** The version of the user after it. */
  readonly version: number
  /** The cookies of the acting session. */
  readonly cookies: SetCookies
}

/** Makes the writes of a change. It is called again if another change came first, and then reads everything again. */
export type WriteChange<T> = (store: Store, row: UserVersion) => Promise<T>

/** Who asks for a change. */
export type AccessActor = Pick<AccessChange, 'userId' | 'acting' | 'isForced'>

/** A change that was decided on, and its writes. */
export interface DecidedChange<T> extends Omit<AccessChange, keyof AccessActor> {
  readonly write: WriteChange<T>
}

/** Decides on a change after the row was read. It writes nothing, and is called again if another change came first. */
export type DecideChange<T> = (row: UserVersion) => Promise<DecidedChange<T>>

/** The clock, the randomness and the times of changes. */
export interface UserVersionSettings {
  /** The maximum lifetime of what carries a version, in seconds. */
  readonly maxAge: number
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
}

/** How often a change or a sign-in begins again because another change came first. */
export const maxRestarts = 3

/** Seconds after which a client may repeat a request that other changes have prevented. */
const retryAfter = 1

/** @returns The error for a request that other changes of the same user have prevented. */
export function createConflictError(userId: string | null): AuthError {
  const message = 'the user changed each time that the change was tried'
  return new AuthError('StoreUnavailable', message, { retryAfter, userId })
}

/** @throws AuthError `UserSuspended` */
export function requireNotSuspended({ userId, suspendedAt }: UserVersion): void {
  if (suspendedAt) throw new AuthError('UserSuspended', 'the user is suspended', { userId })
}

/**
 * The version after another one: it exceeds every earlier version of the user, even after the row was deleted.
 *
 * @param now - Milliseconds since 1970.
 */
export function nextVersion(version: number, now: number): number {
  return Math.max(version + 1, now)
}

/** Deletes the tickets that end with the sessions of a user. */
export async function deletePending(userId: string, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
  for (const kind of listKindsThatEndWith('sessions')) await tickets?.delete(userId, kind)
}

/** The events of a change, and what features write with them. */
interface ChangeEvents {
  readonly events: readonly SecurityEvent[]
  readonly calls: readonly FeatureCall[]
}

/** The store of a change, which has versions. */
interface Writing {
  readonly store: Store
  readonly versions: VersionStore
}

/** The last change of each user in this process, for stores without leases. */
const turns = weakMemoize((_store: Store) => new Map<string, Promise<unknown>>())

/** Changes what users can sign in with. A sign-in changes the row of its user in its own transaction, with `advanceAfter`. */
export class UserVersions {
  /** `null` if there is none. */
  readonly store: Store | null
  /** Begins a transaction that records writes; `null` if the store has no transactions. */
  readonly begin: BeginTransaction | null
  readonly #registry: JwtSessionRegistry | null
  readonly #revocations: RevocationList | null
  readonly #features: FeatureHooks
  readonly #settings: UserVersionSettings

  /** @param registry - Revokes JWT sessions; `null` if revocations are not stored. */
  constructor(
    store: Store | null,
    registry: JwtSessionRegistry | null,
    features: FeatureHooks,
    settings: UserVersionSettings
  ) {
    this.store = store
    this.begin = store && createBegin(store, settings.randomBytes)
    this.#registry = registry
    this.#revocations = registry?.revocations ?? null
    this.#features = features
    this.#settings = settings
  }

  /** Ends one session of a user: nothing may prevent it. @throws AuthError `StoreUnavailable` */
  readonly endSession: EndSession = async (userId, end, ended) => {
    if (this.store) return this.change({ userId, raises: false, isForced: true, ended }, end)
    await end(null)
    return this.#report({ ended }, this.#createEvents({ ended }))
  }

  /**
   * Ends all sessions of a user, and the sign-ins that are not complete: nothing may prevent it.
   *
   * @throws AuthError `StoreUnavailable`
   */
  async endSessions(userId: string): Promise<void> {
    const { store } = this
    const ended = { userId, sessionId: null }
    if (!store) {
      await this.#revocations?.revokeUser(userId)
      return this.#report({ ended }, this.#createEvents({ ended }))
    }
    await this.change({ userId, raises: true, isForced: true, ended }, (store) => deletePending(userId, store))
  }

  /**
   * Changes the access of a user: in one transaction, which requires the version that was read before, if the store has
   * transactions.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE`
   * @throws AuthError `SessionRequired`, `UserSuspended`; `StoreUnavailable`, also if other changes have prevented it.
   */
  async change<T>(change: AccessChange, write: WriteChange<T>): Promise<ChangedAccess<T>> {
    return this.decide(change, async () => ({ ...change, write }))
  }

  /** The same for a change that depends on what is read after the row. What `decide` throws is thrown. */
  async decide<T>(actor: AccessActor, decide: DecideChange<T>): Promise<ChangedAccess<T>> {
    const { store } = this
    if (!store) throw new AccountError('ADAPTER_INCOMPLETE', 'expected an adapter, which stores the users')
    const { versions, transact } = store
    if (!versions) return this.#changeUnversioned(actor, decide, store)
    const run = (): Promise<ChangedAccess<T>> => this.#restart(actor, decide, { store, versions })
    // Nothing may prevent what is forced: it does not wait for another change either.
    return transact || actor.isForced === true ? run() : this.serialize(actor.userId, store, run)
  }

  async #restart<T>(actor: AccessActor, decide: DecideChange<T>, writing: Writing): Promise<ChangedAccess<T>> {
    for (let restarts = 0; restarts <= maxRestarts; restarts++) {
      const row = await writing.versions.get(actor.userId)
      await requireAllowed(actor, row)
      const { write, ...decided } = await decide(row)
      const isForced = actor.isForced === true || (actor.isForced === 'at last' && restarts === maxRestarts)
      const change = { ...decided, ...actor, isForced, acting: decided.keepsToken ? null : actor.acting }
      const transaction = this.begin?.()
      const done = transaction
        ? await this.#changeAtOnce(change, write, row, transaction)
        : await this.#changeInSteps(change, write, row, writing)
      if (done) return done
    }
    throw createConflictError(actor.userId)
  }

  /** @returns `null` if another change came first. */
  async #changeAtOnce<T>(
    change: AccessChange,
    write: WriteChange<T>,
    row: UserVersion,
    transaction: Transaction
  ): Promise<ChangedAccess<T> | null> {
    const { userId, acting = null } = change
    const raises = isRaising(change)
    const { store } = transaction
    const result = await write(store, row)
    const events = this.#createEvents(change)
    await applyCalls(events.calls, store)
    const advance = await this.advanceAfter(change, row)
    const issued = acting && (await acting.reissue(store, advance.version))
    // After the row is locked: a sign-in that has waited for it has created its session.
    if (raises) await store.deleteSessions?.(userId, issued?.sessionToken ?? undefined)
    if (!(await commit(transaction, advance))) return null
    issued?.afterCommit()
    await this.#finish(change, advance, events)
    return { result, version: advance.version, cookies: issued?.cookies ?? noCookies }
  }

  /**
   * Without transactions, the sessions end first, and again after the writes: a kill in between ends more than it has to. The
   * acting session is replaced at the end.
   *
   * @returns `null` if another change came first.
   */
  async #changeInSteps<T>(
    change: AccessChange,
    write: WriteChange<T>,
    row: UserVersion,
    { store, versions }: Writing
  ): Promise<ChangedAccess<T> | null> {
    const { userId, acting = null } = change
    const raises = isRaising(change)
    const before = await this.advanceAfter(change, row)
    if (!(await versions.advance(before))) return null
    if (raises) await store.deleteSessions?.(userId, acting?.sessionToken ?? undefined)
    const { result, events } = await this.#writeInSteps(change, () => write(store, row), store)
    const { advance, isKept } = await this.advanceLast(change, before, versions)
    const { version } = advance
    const issued = isKept && acting ? await acting.reissue(store, version) : null
    if (raises) await store.deleteSessions?.(userId, issued?.sessionToken ?? undefined)
    issued?.afterCommit()
    await addRecords(events.calls, store, this.#settings.logger)
    await this.#finish(change, advance, events)
    return { result, version, cookies: issued?.cookies ?? noCookies }
  }

  /**
   * Changes the row again after the writes of a change without transactions.
   *
   * @returns Also whether no other end of sessions came since the first change of the row: only then a session may go on, at the
   * version of the last one.
   */
  async advanceLast(
    change: AccessChange,
    first: UserAdvance,
    versions: VersionStore
  ): Promise<{ readonly advance: UserAdvance; readonly isKept: boolean }> {
    for (let restarts = 0; ; restarts++) {
      const current = await versions.get(change.userId)
      const isKept = current.sessionsFrom <= first.version && restarts < maxRestarts
      // What no session depends on is not prevented.
      const advance = await this.advanceAfter({ ...change, isForced: !isKept }, current)
      if (await versions.advance(advance)) return { advance, isKept }
    }
  }

  /** Without versions, nothing shows what came first: sessions end before and after the writes. */
  async #changeUnversioned<T>(actor: AccessActor, decide: DecideChange<T>, store: Store): Promise<ChangedAccess<T>> {
    const { userId } = actor
    const revocations = this.#revocations
    const row = noUserVersion(userId)
    await requireAllowed(actor, row)
    const { write, ...decided } = await decide(row)
    const acting = (!decided.keepsToken && actor.acting) || null
    const change = { ...decided, ...actor, acting }
    const raises = isRaising(change)
    if (raises && !acting) {
      await revocations?.revokeUser(userId)
      await store.deleteSessions?.(userId)
    }
    const { result, events } = await this.#writeUnversioned(change, write, row, store)
    const current = raises ? await revocations?.revokeUser(userId) : await revocations?.getVersion(userId)
    const version = current ?? this.#settings.now()
    const issued = acting && (await acting.reissue(store, version))
    if (raises) await store.deleteSessions?.(userId, issued?.sessionToken ?? undefined)
    if (raises) await this.#registry?.forget(userId, version)
    issued?.afterCommit()
    await this.#report(change, events)
    return { result, version, cookies: issued?.cookies ?? noCookies }
  }

  async #writeUnversioned<T>(change: AccessChange, write: WriteChange<T>, row: UserVersion, store: Store) {
    const transaction = this.begin?.()
    if (!transaction) {
      const written = await this.#writeInSteps(change, () => write(store, row), store)
      await addRecords(written.events.calls, store, this.#settings.logger)
      return written
    }
    const result = await write(transaction.store, row)
    const events = this.#createEvents(change)
    await applyCalls(events.calls, transaction.store)
    await requireCommitted(transaction)
    return { result, events }
  }

  /** Without transactions, features write before the change, which is not made if they find nothing to change. */
  async #writeInSteps<T>({ events, ended }: AccessChange, write: () => Promise<T>, store: Store) {
    const before = this.#createEvents({ events })
    await applyChanges(before.calls, store)
    const result = await write()
    const after = this.#createEvents({ ended })
    await applyChanges(after.calls, store)
    const all: ChangeEvents = {
      events: [...before.events, ...after.events],
      calls: [...before.calls, ...after.calls]
    }
    return { result, events: all }
  }

  /**
   * Creates the change of a row that was read, to be the first call of a transaction. Revocations in another store come first, so that
   * no session of the new version is among those that have ended.
   */
  async advanceAfter(change: AccessChange, row: UserVersion): Promise<UserAdvance> {
    const { userId, isForced, suspendedAt, isGone } = change
    const { now, randomBytes, maxAge } = this.#settings
    const revocations = this.#revocations
    const raises = isRaising(change)
    const expected = isForced ? null : row.version
    const version = nextVersion(row.version, now())
    const until = new Date(now() + maxAge * 1000)
    const advance = { userId, expected, version, changeId: randomUuid(randomBytes), raises, suspendedAt, isGone, until }
    if (!raises || !revocations || revocations.isOneStore || !(await this.#isCurrent(change, row))) return advance
    return { ...advance, version: await revocations.revokeUser(userId, advance.version) }
  }

  /** A change that nothing may prevent can write a later version than it has named: revocations in another store follow it. */
  async #revokeAfter({ userId, raises, expected }: UserAdvance): Promise<void> {
    const revocations = this.#revocations
    if (!raises || expected !== null || !revocations || revocations.isOneStore) return
    const row = await this.store?.versions?.get(userId)
    if (row) await revocations.revokeUser(userId, row.sessionsFrom)
  }

  /**
   * Requires that another store of revocations would not end a session of this version: it may have recorded an end which the row of
   * the user has not. Then the row follows, so that the client can repeat the request.
   *
   * @throws AuthError `StoreUnavailable`
   */
  async requireLive(userId: string, version: number): Promise<void> {
    const revocations = this.#revocations
    if (!revocations || revocations.isOneStore || !this.store?.versions) return
    if (!(await revocations.isRevoked({ userId, sessionId: null, version }))) return
    await this.change({ userId, raises: false, isForced: true }, async () => undefined)
    throw createConflictError(userId)
  }

  /** Whether no other change has come first, which would end sessions in the other store for nothing. */
  async #isCurrent({ userId, isForced }: AccessChange, { version }: UserVersion): Promise<boolean> {
    const { store } = this
    return isForced === true || (await store?.versions?.get(userId))?.version === version
  }

  #createEvents({ events: given = [], ended }: Pick<AccessChange, 'events' | 'ended'>): ChangeEvents {
    const { onEvent } = this.#features
    const ends = listEnded({ ended }).map(
      (session) => ({ ...session, request: session.request ?? null, type: 'session-end' }) as const
    )
    const events = [...given, ...ends].map((event) => createSecurityEvent(event, this.#settings.now))
    return { events, calls: onEvent ? events.flatMap((event) => onEvent(event)) : [] }
  }

  async #finish(change: AccessChange, advance: UserAdvance, events: ChangeEvents): Promise<void> {
    this.rememberRaise(advance)
    await this.#revokeAfter(advance)
    if (advance.raises) await this.#registry?.forget(advance.userId, advance.version)
    await this.#report(change, events)
  }

  /** Knows at once that the sessions of a user have ended, after the change was committed. */
  rememberRaise({ userId, raises, version, until }: UserAdvance): void {
    if (raises && this.#revocations?.isOneStore)
      this.#revocations.add({ subject: getUserSubject(userId), version, until })
  }

  async #report(change: Pick<AccessChange, 'ended'>, { events }: ChangeEvents): Promise<void> {
    const { afterEvent, endSession } = this.#features
    for (const session of listEnded(change)) await endSession(session)
    for (const event of events) afterEvent?.(event)
  }

  /** Runs the changes of one user one after another. */
  async serialize<T>(userId: string, store: Store, work: () => Promise<T>): Promise<T> {
    if (store.withLease) return store.withLease(`access ${userId}`, work)
    const queue = turns(store)
    const turn = (queue.get(userId) ?? Promise.resolve()).then(work)
    const end = turn.catch(() => null)
    queue.set(userId, end)
    try {
      return await turn
    } finally {
      if (queue.get(userId) === end) queue.delete(userId)
    }
  }
}

/** Whether all sessions end: also if that is the only way to end the earlier token of the acting session. */
function isRaising({ raises, acting }: AccessChange): boolean {
  return raises || (acting?.endsWithAll ?? false)
}

function listEnded({ ended }: Pick<AccessChange, 'ended'>): readonly EndedSession[] {
  if (typeof ended === 'function') return ended()
  return ended ? [ended] : []
}

/** @throws AuthError `SessionRequired`, `UserSuspended` */
async function requireAllowed({ acting, isForced }: AccessActor, row: UserVersion): Promise<void> {
  // The application may change a user who is suspended.
  if (isForced || !acting) return
  // A suspension has ended it.
  if (!(await acting.isAllowed(row)))
    throw new AuthError('SessionRequired', 'the session has ended', { userId: row.userId })
  requireNotSuspended(row)
}

/**
 * Commits a change.
 *
 * @returns `false` if another change came first.
 * @throws StoreError
 */
async function commit(transaction: Transaction, advance: UserAdvance): Promise<boolean> {
  const outcome = await transaction.commit([{ method: 'advanceUser', args: [advance] }])
  if (outcome.kind === 'committed') return true
  if (outcome.reason === null) return false
  throw outcome.reason
}

/** @throws AuthError */
async function requireCommitted(transaction: Transaction): Promise<void> {
  const outcome = await transaction.commit()
  if (outcome.kind === 'committed') return
  throw outcome.reason ?? new AuthError('Verification', 'a ticket, a token or a factor has changed meanwhile')
}
