import type { FoundUser, Store } from '../adapter/store.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { User } from '../model/user.ts'
import type { Principal } from '../sessions/strategy.ts'
import type { AccountRules } from './account-rules.ts'
import { isInvalidUserId } from './invalid-user-id.ts'
import { requireFreshSignIn } from './resolved-user.ts'
import type { SignInPlan } from './sign-in-plan.ts'

/** Plans the sign-in of a user of whom nothing is written. */
export const toKnown = (user: User, row: UserVersion | null): SignInPlan => ({
  kind: 'known',
  user,
  row,
  writesTokens: false,
  verifiesAddress: false
})

/**
 * Plans the sign-in of the user that the application's `authorize` returned, for database sessions.
 *
 * It is the user with this id, otherwise the owner of the account with this id, otherwise a new user that is created
 * with the account. If another user has the email address, the account is linked only if the browser has just signed in
 * as that user: a reclaim removes the account of a form, and its owner restores it this way.
 *
 * @param principal - The signed-in user.
 * @throws AuthError `OAuthAccountNotLinked` if the address belongs to another user; `CredentialsSignin` if no user can
 * have the id.
 */
export async function planApplicationUser(
  identity: Identity,
  principal: Principal | null,
  store: Store,
  rules: AccountRules
): Promise<SignInPlan> {
  const { account, user } = identity
  const { provider, providerAccountId } = account
  const known = await findNamedUser(identity, store)
  if (known) return toKnown(known.user, known.version)
  const by = { account: { provider, providerAccountId } }
  const owner = await store.findUser(by)
  if (owner) return toKnown(owner.user, owner.version)
  const userWithEmail = user.email ? await store.findUser({ email: user.email }) : null
  // The id may be that of a user who was deleted since the form was sent.
  if (!userWithEmail) return { kind: 'created', user: null, row: (await store.versions?.get(user.id)) ?? null }
  // A concurrent first sign-in may have written between the reads.
  const ownerNow = await store.findUser(by)
  if (ownerNow) return toKnown(ownerNow.user, ownerNow.version)
  if (!principal || principal.userId !== userWithEmail.user.id)
    throw new AuthError('OAuthAccountNotLinked', `${provider}: the address belongs to another user`)
  requireFreshSignIn(principal, identity, rules)
  const { user: linked, version } = userWithEmail
  return { kind: 'linked', user: linked, row: version, principal, mustConfirm: false }
}

/** @throws AuthError `CredentialsSignin` if no user can have the id, because of the type of its column. */
async function findNamedUser({ account, user }: Identity, store: Store): Promise<FoundUser | null> {
  try {
    return await store.findUser({ userId: user.id })
  } catch (error) {
    if (!isInvalidUserId(error)) throw error
    const expected = `expected providers.${account.provider}.authorize to return the id of a stored user`
    throw new AuthError('CredentialsSignin', `${expected}, got one that does not have the type of the column`, {
      cause: error
    })
  }
}
