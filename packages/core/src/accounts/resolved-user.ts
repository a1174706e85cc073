import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import type { User } from '../model/user.ts'
import type { Principal } from '../sessions/strategy.ts'
import type { AccountRules } from './account-rules.ts'

/** The user of the session to create, and the account of the sign-in. */
interface Resolved {
  readonly user: User
  readonly account: Account
}

/**
 * What a sign-in has made of its user.
 *
 * - `known`: the user had the account, the mailbox or the password.
 * - `created`: a new user.
 * - `joined`: the account was linked to the user with its verified address.
 * - `linked`: the session of the browser allowed the account to be linked to its user.
 * - `reclaimed`: the owner of the address has taken over the user; with an account or with the mailbox alone.
 */
export type ResolvedUser =
  | (Resolved & { readonly kind: 'known' | 'created' | 'joined' | 'linked' })
  | (Resolved & { readonly kind: 'reclaimed'; readonly hasLinked: boolean })

/** Whether the sign-in has linked an account to a user who existed. */
export function hasLinked(resolved: ResolvedUser): boolean {
  if (resolved.kind === 'reclaimed') return resolved.hasLinked
  return resolved.kind === 'joined' || resolved.kind === 'linked'
}

/**
 * Requires a recent sign-in: an unattended session must not add an account that outlives it.
 *
 * @throws AuthError `OAuthAccountNotLinked`
 */
export function requireFreshSignIn(
  { authenticatedAt, signedInAt }: Principal,
  { account }: Identity,
  { linkFreshWithin, now }: AccountRules
): void {
  // A provider that signed the user in silently may state when the user authenticated.
  const latest = authenticatedAt ?? signedInAt
  if (linkFreshWithin === null || (latest && now() - latest.getTime() <= linkFreshWithin * 1000)) return
  throw new AuthError(
    'OAuthAccountNotLinked',
    `${account.provider}: linking an account requires a sign-in within the last ${linkFreshWithin} seconds`
  )
}
