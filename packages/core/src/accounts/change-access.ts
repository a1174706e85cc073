import type { AdapterUser } from '../adapter/adapter.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import type { NewSecurityEvent } from '../hooks/security-event.ts'
import type { SetCookies } from '../model/cookie.ts'
import { type AccessActor, deletePending, type UserVersions } from '../sessions/user-versions.ts'
import { applyWrite, type FeatureWrite, type StoreWrite } from './commit-writes.ts'

/** A user, and what the row of the user says. The row was read first. */
export interface UserState {
  /** `null` if the user is not stored. */
  readonly user: AdapterUser | null
  readonly version: number
  /** What carries a lower version has ended. */
  readonly sessionsFrom: number
  readonly isSuspended: boolean
}

/** A user who is stored. */
export interface StoredUser extends UserState {
  readonly user: AdapterUser
  /** The row as it was read: version 0 if there is none. */
  readonly row: UserVersion
}

/**
 * What a change ends, from the least to the most:
 *
 * - `nothing`: no credential changes.
 * - `token`: the token of the session that asks for the change, which gets a new one.
 * - `others`: also all other sessions of the user, and everything that waits for the user.
 * - `all`: also the session that asks for the change, and every pending sign-in.
 */
export type AccessEnd = 'nothing' | 'token' | 'others' | 'all'

/** A change of what a user can sign in with. */
export interface AccessPlan {
  readonly ends: AccessEnd
  /** What is written in the transaction of the change. */
  readonly writes: readonly FeatureWrite[]
  /** What has happened, for `onEvent` and `afterEvent` of the features. @defaultValue nothing that they know */
  readonly events?: readonly NewSecurityEvent[] | undefined
}

/** Decides on a change. @returns It, or why there is none. */
export type PlanChange<R extends string> = (current: UserState) => AccessPlan | R | PromiseLike<AccessPlan | R>

/** What became of a change. */
export type AccessOutcome<R extends string> =
  | { readonly kind: 'changed'; readonly version: number; readonly cookies: SetCookies }
  | { readonly kind: 'refused'; readonly reason: R | 'conflict' }

export function toUserState(user: AdapterUser | null, { version, sessionsFrom, suspendedAt }: UserVersion): UserState {
  return { user, version, sessionsFrom, isSuspended: suspendedAt !== null }
}

export const toStoredUser = (user: AdapterUser, row: UserVersion): StoredUser => ({
  ...toUserState(user, row),
  user,
  row
})

/** There is no change: it leaves the transaction. */
class RefusedChange extends Error {
  override readonly name: string = 'RefusedChange'
}

/** @throws RefusedChange if a write finds nothing to change. */
async function applyWrites(writes: readonly StoreWrite[], store: Store): Promise<void> {
  for (const write of writes) if (!(await applyWrite(write, store))) throw new RefusedChange()
}

/**
 * Changes what a user can sign in with, as a feature has planned it. If another change came first, it is planned again.
 *
 * @param toStored - Converts a write of a feature to those of the store.
 * @throws AuthError, AccountError like `UserVersions.change`
 */
export async function changeAccess<R extends string>(
  actor: AccessActor,
  plan: PlanChange<R>,
  toStored: (write: FeatureWrite) => readonly StoreWrite[],
  userVersions: UserVersions
): Promise<AccessOutcome<R>> {
  let reason: R | 'conflict' = 'conflict'
  try {
    const { version, cookies } = await userVersions.decide(actor, async (row) => {
      const user = (await userVersions.store?.getUser(actor.userId)) ?? null
      const planned = await plan(toUserState(user, row))
      if (typeof planned === 'string') {
        reason = planned
        throw new RefusedChange()
      }
      const { ends, writes, events } = planned
      const endsAll = ends === 'all'
      return {
        raises: endsAll || ends === 'others',
        keepsToken: endsAll || ends === 'nothing',
        events,
        ended: endsAll ? { userId: actor.userId, sessionId: null } : null,
        write: async (writing) => {
          await applyWrites(writes.flatMap(toStored), writing)
          if (endsAll) await deletePending(actor.userId, writing)
        }
      }
    })
    return { kind: 'changed', version, cookies }
  } catch (error) {
    // The store refuses a key or an address that exists, for example. Another failure says nothing about what was planned.
    const isConflict = error instanceof StoreError && error.code !== 'StoreUnavailable'
    if (error instanceof RefusedChange || isConflict) return { kind: 'refused', reason }
    throw error
  }
}
