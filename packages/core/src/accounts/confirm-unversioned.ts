import type { Store } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { AccountRules } from './account-rules.ts'
import type { ResolvedUser } from './resolved-user.ts'
import { accountChanged } from './sign-in-errors.ts'

/** Milliseconds that clocks of servers may differ, and that a form may have taken. */
const clockMargin = 30_000

/** A sign-in that was written. */
export interface ConfirmedSignIn {
  readonly identity: Identity
  readonly policy: AccountPolicy
  /** When a form with a password was submitted, in milliseconds since 1970; `null` if there was none. */
  readonly submittedAt: number | null
}

/**
 * Checks after a session was created what an adapter shows that stores no rows of users: that the account is still linked, that the
 * user exists, and that nobody has proven their address since a password was submitted.
 *
 * @throws AuthError `OAuthAccountNotLinked`, `Verification`, `CredentialsSignin`, `StoreUnavailable`
 */
export async function confirmUnversioned(
  { identity: { account }, policy, submittedAt }: ConfirmedSignIn,
  { user }: ResolvedUser,
  store: Store,
  { isDatabaseSession }: AccountRules
): Promise<void> {
  const { provider } = account
  if (policy === 'link') {
    const owner = await store.getUserByAccount(account)
    if (owner?.id !== user.id) throw accountChanged(provider)
  }
  // The row of a database session depends on that of its user.
  const isRead = submittedAt !== null || (!isDatabaseSession && policy !== 'link' && policy !== 'application')
  const current = isRead ? await store.getUser(user.id) : null
  if (isRead && !current && policy !== 'application')
    throw new AuthError('Verification', `${provider}: the user was deleted during the sign-in`)
  if (submittedAt !== null && isAfter(current?.emailVerified, submittedAt - clockMargin))
    throw new AuthError('CredentialsSignin', `${provider}: the user was reclaimed during the sign-in`)
}

/** Some adapters return the raw value of the column. */
function isAfter(verified: unknown, time: number): boolean {
  const isTime = verified instanceof Date || typeof verified === 'string' || typeof verified === 'number'
  return isTime && new Date(verified).getTime() > time
}
