import type { Account } from './account.ts'
import type { User } from './user.ts'

/** The raw claims of a provider about a user: userinfo or ID Token. */
export type Profile = Readonly<Record<string, unknown>>

/** What a provider has proven, before the user is resolved. */
export interface Identity {
  /** The account that was proven, with the provider's complete response; its user is not resolved yet. */
  readonly account: Account
  /** The account as the store keeps it: the standard fields, or those that the provider chose. */
  readonly row: Account
  /** The user as the provider describes them; the email address is in lower case. */
  readonly user: User
  /** Whether the email address is proven: by the mailbox, or by a provider that is trusted for it. */
  readonly emailVerified: boolean
  /** The provider's raw claims, or `null` if there are none (email, credentials). */
  readonly profile: Profile | null
  /** The id that next-auth v4 stored for this account. */
  readonly formerAccountId?: string | null
}
