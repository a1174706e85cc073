/** Says that signed tokens of a subject count no longer, unless they were made with this version or a later one. */
export interface Revocation {
  /** `user:<id>` for all sessions of a user, `session:<id>` for one. */
  subject: string
  /** Grows with every revocation of the subject; never below milliseconds since 1970. */
  version: number
  /** When the last token that it concerns has ended, so that it may be forgotten. */
  until: Date
}

/** Where revocations of signed tokens are kept; shared by all processes of an application. */
export interface RevocationStore {
  /**
   * Notes a revocation in one atomic step. The new version is the old one plus one, or the milliseconds since 1970 where
   * that is more: it stays above every version that was ever given, even after the row was forgotten.
   *
   * @returns The new version.
   */
  revoke(subject: string, until: Date): Promise<number> | number
  /** @returns The revocations of these subjects, where there are any. */
  getRevocations(subjects: readonly string[]): Promise<readonly Revocation[]> | readonly Revocation[]
  /**
   * @param since - The moment, by the clock of whoever noted it, from which on revocations are wanted.
   * @param most - How many at most, the oldest first.
   */
  listRevocations(since: Date, most: number): Promise<readonly Revocation[]> | readonly Revocation[]
}
