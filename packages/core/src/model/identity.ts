import type { Account } from './account.ts'
import type { User } from './user.ts'

/** A provider's own words about a visitor: the raw userinfo or ID Token claims. */
export type Profile = Readonly<Record<string, unknown>>

/** What a provider proved, before it is known whose it is. */
export interface Identity {
  /** The link that this proof stands for, with everything that the provider answered; whose it is, is not known yet. */
  readonly account: Account
  /** What the store keeps of it: the fields that every store has a place for, or those that the provider chose. */
  readonly row: Account
  /** The person as the provider describes them; the address is in lower case. */
  readonly user: User
  /** Whether the provider states that the address belongs to this person. */
  readonly emailVerified: boolean
  /** The provider's raw claims, or `null` where there are none (e-mail, credentials). */
  readonly profile: Profile | null
}
