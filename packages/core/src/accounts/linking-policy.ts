import type { FoundUser } from '../adapter/store.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'

/** The users and permissions that the linking decision depends on. */
export interface LinkingContext {
  /** The signed-in user of this browser. */
  readonly current: FoundUser | null
  /** The user that the account is linked to. */
  readonly owner: FoundUser | null
  /** The user with this email address. */
  readonly userWithEmail: FoundUser | null
  /** Whether the application invited `userWithEmail`, and the provider may redeem invitations. */
  readonly isInvited: boolean
  /** Whether the provider states that the address is verified. */
  readonly isEmailVerified: boolean
  /** Whether the provider may link accounts by email address. */
  readonly mayLinkByEmail: boolean
}

/**
 * What a sign-in does.
 *
 * - `sign-in`: the user has the account, or a verified address whose mailbox was proven.
 * - `link`: the session of the browser allows the account to be linked to its user.
 * - `join`: the account is linked to the user with this verified address.
 * - `reclaim`: the owner of the address takes over the user whose address nobody has proven.
 * - `create`: a new user.
 */
export type LinkingDecision =
  | { readonly kind: 'sign-in'; readonly found: FoundUser }
  | { readonly kind: 'link'; readonly found: FoundUser }
  | { readonly kind: 'join' | 'reclaim'; readonly found: FoundUser; readonly isInvited: boolean }
  | { readonly kind: 'create' }
  | { readonly kind: 'refuse' }

function joinOrReclaim(found: FoundUser, isInvited: boolean): LinkingDecision {
  return { kind: found.user.emailVerified ? 'join' : 'reclaim', found, isInvited }
}

function decideMailbox({ userWithEmail: found }: LinkingContext): LinkingDecision {
  if (!found) return { kind: 'create' }
  return found.user.emailVerified ? { kind: 'sign-in', found } : { kind: 'reclaim', found, isInvited: false }
}

/**
 * Decides by next-auth v4's rules: an account belongs to one user, and an email address alone joins nobody. A user is joined by
 * an address that both sides have verified, if the application allows it, or by an invitation. A user without accounts is not
 * joined for that reason.
 */
export function decideLinking(policy: AccountPolicy, known: LinkingContext): LinkingDecision {
  const { current, owner, userWithEmail, isInvited, isEmailVerified, mayLinkByEmail } = known
  if (policy === 'mailbox') return decideMailbox(known)
  if (owner)
    return !current || current.user.id === owner.user.id ? { kind: 'sign-in', found: owner } : { kind: 'refuse' }
  if (current) return { kind: 'link', found: current }
  if (!userWithEmail) return { kind: 'create' }
  if (!isEmailVerified) return { kind: 'refuse' }
  if (mayLinkByEmail && userWithEmail.user.emailVerified) return joinOrReclaim(userWithEmail, false)
  return isInvited ? joinOrReclaim(userWithEmail, true) : { kind: 'refuse' }
}
