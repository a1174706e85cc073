/**
 * A person whom the application knows.
 *
 * Extend it by declaration merging (`declare module '@postern/core' { interface User { role: string } }`).
 */
export interface User {
  id: string
  name?: string | null
  email?: string | null
  image?: string | null
  /** When the address was proven, or `null` as long as it is only claimed. */
  emailVerified?: Date | null
}
