import type { Account } from './account.ts'

/** A provider's own words about a visitor: the raw userinfo or ID Token claims. */
export type Profile = Readonly<Record<string, unknown>>

/** What a provider proved, before it is known whose it is. */
export interface Identity {
  /** The link that this proof stands for; its `userId` is not known yet. */
  readonly account: Account
  /** The person as the provider describes them. */
  readonly person: Person
  /** The provider's raw claims, or `null` where there are none (e-mail, credentials). */
  readonly profile: Profile | null
}

export interface Person {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly image: string | null
  /** Whether the provider states that the address belongs to this person. */
  readonly emailVerified: boolean
  /** Whatever else the provider's `profile` or the application's `authorize` returned. */
  readonly extra: Readonly<Record<string, unknown>>
}
