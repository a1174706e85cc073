import type { AdapterUser } from '../adapter/adapter.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { InterruptedSignIn } from './first-sign-in-progress.ts'

/** The users and permissions that the linking decision depends on. */
export interface LinkingContext {
  /** The signed-in user of this browser. */
  readonly current: AdapterUser | null
  /** The user that the account is linked to. */
  readonly owner: AdapterUser | null
  /** The user with this email address. */
  readonly userWithEmail: AdapterUser | null
  /** Whether an interrupted sign-in with this account created `userWithEmail`. */
  readonly interrupted: InterruptedSignIn
  /** Whether the application invited `userWithEmail`, and the provider may redeem invitations. */
  readonly isInvited: boolean
  /** Whether the provider states that the address is verified. */
  readonly isEmailVerified: boolean
  /** `allowDangerousEmailAccountLinking` */
  readonly mayLinkByEmail: boolean
}

export type LinkingDecision =
  | { readonly kind: 'sign-in'; readonly user: AdapterUser }
  /** Link the account to the user. */
  | { readonly kind: 'link'; readonly user: AdapterUser }
  /** Finish an interrupted first sign-in: link the account to the user that it created. */
  | { readonly kind: 'continue'; readonly user: AdapterUser }
  /**
   * Link the account to the user because it has proven the email address; accounts and sessions that have not proven it
   * end.
   */
  | { readonly kind: 'join'; readonly user: AdapterUser; readonly isInvited: boolean }
  | { readonly kind: 'create' }
  | { readonly kind: 'refuse' }

/**
 * Decides which user an identity belongs to.
 *
 * An email address is proof only if the user has just opened a link that was sent to it. An address that a provider
 * reports joins a user only if the application allows it: by `allowDangerousEmailAccountLinking`, with both sides
 * verified, or by an invitation. A user without accounts is not joined for that reason.
 */
export function decideLinking(policy: AccountPolicy, known: LinkingContext): LinkingDecision {
  const { current, owner, userWithEmail, interrupted, isInvited, isEmailVerified, mayLinkByEmail } = known
  if (policy === 'mailbox') return userWithEmail ? { kind: 'sign-in', user: userWithEmail } : { kind: 'create' }
  if (owner) return !current || current.id === owner.id ? { kind: 'sign-in', user: owner } : { kind: 'refuse' }
  if (current) return { kind: 'link', user: current }
  if (!userWithEmail) return { kind: 'create' }
  if (mayLinkByEmail && isEmailVerified && userWithEmail.emailVerified !== null)
    return { kind: 'link', user: userWithEmail }
  if (interrupted === 'created') return { kind: 'continue', user: userWithEmail }
  if (isEmailVerified && (isInvited || interrupted === 'started'))
    return { kind: 'join', user: userWithEmail, isInvited }
  return { kind: 'refuse' }
}
