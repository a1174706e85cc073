import type { UserVersion } from '../adapter/user-version.ts'

/**
 * The versions at which a sign-in has read its users for the first time. A sign-in that begins again keeps them: what has ended
 * since then ends the sign-in, too.
 */
export class FirstVersions {
  readonly #versions = new Map<string, number>()
  /** Whether everything was read again. */
  isRestarted = false

  /** @param proven - The version at which what the sign-in has proven was read; `null` if it is not known. */
  constructor(proven: Pick<UserVersion, 'userId' | 'version'> | null) {
    if (proven) this.#versions.set(proven.userId, proven.version)
  }

  /** Notes that everything is read again. */
  restart(): void {
    this.isRestarted = true
  }

  /** @returns The first version of a user; 0 for a user who was found only when everything was read again. */
  get({ userId, version }: UserVersion): number {
    const first = this.#versions.get(userId) ?? (this.isRestarted ? 0 : version)
    this.#versions.set(userId, first)
    return first
  }
}
