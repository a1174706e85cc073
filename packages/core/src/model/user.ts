/**
 * A user of the application.
 *
 * Extend it by declaration merging (`declare module '@postern/core' { interface User { role: string } }`).
 */
export interface User {
  id: string
  name?: string | null
  email?: string | null
  image?: string | null
  /** When the email address was verified, or `null` if it is unverified. */
  emailVerified?: Date | null
}
