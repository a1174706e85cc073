import type { LinkMarker } from '../adapter/unsettled-link.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import type { User } from '../model/user.ts'
import type { Principal } from '../sessions/strategy.ts'

/** The user of the session to create. */
export interface ResolvedUser {
  readonly user: User
  readonly account: Account
  readonly isNewUser: boolean
  /**
   * How a sign-in checks, after the session is created, that the account is still linked: by writing its tokens, by reading its
   * owner (`account` if it was found or may be written late, `owner` if this sign-in has written it), or not at all.
   */
  readonly confirmBy: 'tokens' | 'account' | 'owner' | 'nothing'
  /** Whether the sign-in claimed an unverified user. */
  readonly isClaim: boolean
  /** Whether the account was linked to a user who existed. */
  readonly isLinked: boolean
  /** Whether the account was linked to the user of the session that the browser came with. */
  readonly needsBefore: boolean
  /** The marker of that link; `null` if there is none. */
  readonly linkMarker: LinkMarker | null
}

const usual: Omit<ResolvedUser, 'account' | 'user'> = {
  isNewUser: false,
  confirmBy: 'owner',
  isClaim: false,
  isLinked: false,
  needsBefore: false,
  linkMarker: null
}

/** Creates the result for a user who is already resolved, such as one that the application's form returned. */
export function resolvedUser(user: User, account: Account, more: Partial<ResolvedUser> = {}): ResolvedUser {
  return { ...usual, ...more, user, account: { ...account, userId: user.id } }
}

/** When an account can be linked to the signed-in user. */
export interface FreshSignInDeps {
  readonly now: () => number
  /** Seconds since sign-in in which an account can be linked to the signed-in user; `null` for any time. */
  readonly linkFreshWithin: number | null
}

/**
 * Requires a recent sign-in: an unattended session must not add an account that outlives it.
 *
 * @throws AuthError `OAuthAccountNotLinked`
 */
export function requireFreshSignIn(
  { authenticatedAt, signedInAt }: Principal,
  { account }: Identity,
  { linkFreshWithin, now }: FreshSignInDeps
): void {
  // A provider that signed the user in silently may state when the user authenticated.
  const latest = authenticatedAt ?? signedInAt
  if (linkFreshWithin === null || (latest && now() - latest.getTime() <= linkFreshWithin * 1000)) return
  throw new AuthError(
    'OAuthAccountNotLinked',
    `${account.provider}: linking an account requires a sign-in within the last ${linkFreshWithin} seconds`
  )
}
