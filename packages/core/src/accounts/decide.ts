import type { AdapterUser } from '../adapter/adapter.ts'
import type { AccountType } from '../model/account.ts'

/** What is known when a proven identity arrives. */
export interface Known {
  /** Who is signed in in this browser. */
  readonly current: AdapterUser | null
  /** Whose account this is. */
  readonly owner: AdapterUser | null
  /** Who has this e-mail address. */
  readonly namesake: AdapterUser | null
  /** Whether the namesake has no account at all: a first sign-in that was cut off, or an invitation. */
  readonly isUnclaimed: boolean
  /** Whether the provider states that the address is proven. */
  readonly isEmailVerified: boolean
  /** `allowDangerousEmailAccountLinking` */
  readonly mayLinkByEmail: boolean
}

export type Decision =
  | { readonly kind: 'sign-in'; readonly user: AdapterUser }
  | { readonly kind: 'link'; readonly user: AdapterUser }
  | { readonly kind: 'create' }
  | { readonly kind: 'refuse' }

/**
 * Decides whose account an identity is.
 *
 * An e-mail address is proof only when the visitor has just opened a link sent to it. An address that a provider
 * reports joins two accounts only where the application allows it and both sides have proven the address; it also
 * claims a user who has no way in yet, where the provider states that it is proven.
 */
export function decide(type: AccountType, known: Known): Decision {
  const { current, owner, namesake, isUnclaimed, isEmailVerified, mayLinkByEmail } = known
  if (type === 'email') return namesake ? { kind: 'sign-in', user: namesake } : { kind: 'create' }
  if (owner) return !current || current.id === owner.id ? { kind: 'sign-in', user: owner } : { kind: 'refuse' }
  if (current) return { kind: 'link', user: current }
  if (!namesake) return { kind: 'create' }
  const isProvenTwice = isEmailVerified && namesake.emailVerified !== null
  if (mayLinkByEmail && isProvenTwice) return { kind: 'link', user: namesake }
  if (isUnclaimed && isEmailVerified && namesake.emailVerified === null) return { kind: 'link', user: namesake }
  return { kind: 'refuse' }
}
