/**
 * The row of a user in `postern_user`, which says what may sign in as them. A user without a row is active, has version 0,
 * and nothing of theirs has ended.
 */
export interface UserVersion {
  userId: string
  /** Rises with every change of access, and never repeats: never below milliseconds since 1970, except for 0. */
  version: number
  /** Sessions and waiting operations that carry a lower version have ended. */
  sessionsFrom: number
  /** Since when the user is suspended: no sign-in is possible; `null` if the user is active. */
  suspendedAt: Date | null
  /** The id of the last change, which tells after a lost reply whose it was; `null` before the first one. */
  changeId: string | null
  /** When the last thing that carries a version has expired: then the row of a deleted user may be deleted, too. */
  until: Date | null
}

/** A change of the row of a user. */
export interface UserAdvance {
  readonly userId: string
  /**
   * The version that was read, 0 without a row: the row changes only if it still has this one. `null` for a change that
   * nothing may prevent: the new version is then the greater of the stored one plus 1 and `version`.
   */
  readonly expected: number | null
  /** The new version. */
  readonly version: number
  /** A random id. */
  readonly changeId: string
  /** Whether `sessionsFrom` becomes the new version: every earlier session ends. */
  readonly raises: boolean
  /** `undefined` leaves it as it is. */
  readonly suspendedAt?: Date | null | undefined
  /** When the last thing that carries an earlier version expires. A later time of the row stays. */
  readonly until: Date
  /** Whether the user is deleted: the row may be deleted after its `until`. @defaultValue false */
  readonly isGone?: boolean | undefined
}

/** @returns What a missing row means. */
export function noUserVersion(userId: string): UserVersion {
  return { userId, version: 0, sessionsFrom: 0, suspendedAt: null, changeId: null, until: null }
}
