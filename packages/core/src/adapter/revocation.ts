/** Revokes the JWT sessions of a subject, except tokens with this version or a later one. */
export interface Revocation {
  /** `user:<id>` for all sessions of a user, `session:<id>` for one. */
  subject: string
  /** Increases with every revocation of the subject; never below milliseconds since 1970. */
  version: number
  /** When the last affected token has expired, so that the revocation may be deleted. */
  until: Date
}

/** The methods of a `RevocationStore`. */
export const revocationMethods = ['revoke', 'getRevocations', 'listRevocations'] as const

/** Stores the revocations of JWT sessions; shared by all processes of an application. */
export interface RevocationStore {
  /**
   * Records a revocation in one atomic step. The new version is the previous one plus one, or milliseconds since 1970
   * if that is greater: it exceeds every earlier version, even after the row was deleted.
   *
   * @param version - The version to record in place of that one, unless the previous one is later: that of the row of a user, which
   * the clock of another process may have written.
   * @returns The version that is recorded now.
   */
  revoke(subject: string, until: Date, version?: number): Promise<number> | number
  /** @returns The existing revocations of these subjects. */
  getRevocations(subjects: readonly string[]): Promise<readonly Revocation[]> | readonly Revocation[]
  /**
   * @param since - Returns revocations recorded since this time, by the clock of the process that recorded them.
   * @param most - The maximum number, oldest first.
   */
  listRevocations(since: Date, max: number): Promise<readonly Revocation[]> | readonly Revocation[]
}
