import type { AdapterUser, NewUser } from '../adapter/adapter.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Emit } from '../hooks/events.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import type { Principal } from '../sessions/strategy.ts'
import { createUserErrors } from './create-user-errors.ts'
import { continueFirstSignIn, LinkError } from './create-user-fallback.ts'
import { createUserWithAccount } from './create-user-with-account.ts'
import { findOtherFirstSignIn } from './first-sign-in-progress.ts'
import { isInvalidUserId } from './invalid-user-id.ts'
import { requireUnreserved } from './reserved-email.ts'
import { type FreshSignInDeps, type ResolvedUser, requireFreshSignIn, resolvedUser } from './resolved-user.ts'
import { SignInConflict } from './sign-in-conflict.ts'
import type { SignInPlan } from './sign-in-plan.ts'
import { writeSessionLink } from './write-link.ts'

/** The dependencies of {@link planApplicationUser}. */
interface ApplicationUserDeps extends FreshSignInDeps {
  readonly store: Store
  readonly emit: Emit
  readonly hasInterruptions: boolean
  readonly isTransaction: boolean
  readonly isEmailReserved: ((email: string) => Promise<boolean>) | null
}

/**
 * Plans the sign-in of the user that the application's `authorize` returned, for database sessions.
 *
 * It is the user with this id, otherwise the owner of the account with this id, otherwise a new user that is created
 * with the account. If another user has the email address, the account is linked only if the browser has just signed in
 * as that user: a claim removes the account of a form, and its owner restores it this way.
 *
 * @param principal - The signed-in user.
 * @throws AuthError `OAuthAccountNotLinked` if the address belongs to another user; `CredentialsSignin` if no user can
 * have the id.
 */
export async function planApplicationUser(
  identity: Identity,
  principal: Principal | null,
  deps: ApplicationUserDeps
): Promise<SignInPlan> {
  const { store } = deps
  const { account, user } = identity
  const known = await getUser(identity, store)
  if (known)
    return { user: known, linksTo: null, apply: async () => resolvedUser(known, account, { confirmBy: 'nothing' }) }
  const found = await store.getUserByAccount(account)
  if (found) return returning(found, account)
  const { id: _, ...fields } = user
  const row = { ...fields, email: user.email ?? null, emailVerified: null }
  const userWithEmail = row.email === null ? null : await store.getUserByEmail(row.email)
  if (!userWithEmail) {
    await requireUnreserved(identity, row.email, deps)
    return { user: null, linksTo: null, apply: () => createApplicationUser(row, identity, deps) }
  }
  // A concurrent first sign-in may have written between the reads.
  const owner = await store.getUserByAccount(account)
  return owner ? returning(owner, account) : planJoin(userWithEmail, identity, principal, deps)
}

/** @throws AuthError `CredentialsSignin` if no user can have the id, because of the type of its column. */
async function getUser({ account, user }: Identity, store: Store): Promise<AdapterUser | null> {
  try {
    return await store.getUser(user.id)
  } catch (error) {
    if (!isInvalidUserId(error)) throw error
    const expected = `expected providers.${account.provider}.authorize to return the id of a stored user`
    throw new AuthError('CredentialsSignin', `${expected}, got one that does not have the type of the column`, {
      cause: error
    })
  }
}

/** The sign-in of a user that the account was found of. */
function returning(user: AdapterUser, account: Account): SignInPlan {
  const apply = async (): Promise<ResolvedUser> => resolvedUser(user, account, { confirmBy: 'account' })
  return { user, linksTo: null, hasAccount: true, apply }
}

const taken = ({ provider }: Account, cause?: unknown): AuthError =>
  new AuthError('OAuthAccountNotLinked', `${provider}: the address belongs to another user`, { cause })

async function planJoin(
  userWithEmail: AdapterUser,
  identity: Identity,
  principal: Principal | null,
  deps: ApplicationUserDeps
): Promise<SignInPlan> {
  const { account } = identity
  const isOwn = principal?.userId === userWithEmail.id
  if (principal && isOwn) {
    requireFreshSignIn(principal, identity, deps)
    const apply = () => linkApplicationUser(userWithEmail, identity, deps)
    return { user: userWithEmail, linksTo: null, isSessionLink: true, apply }
  }
  const { interrupted, owner } = await findOtherFirstSignIn(account, userWithEmail, deps)
  if (owner) return returning(owner, account)
  if (interrupted !== 'created') throw taken(account)
  const apply = async (): Promise<ResolvedUser> => {
    await continueFirstSignIn(userWithEmail, identity, deps)
    return resolvedUser(userWithEmail, account, { confirmBy: 'account' })
  }
  return { user: userWithEmail, linksTo: null, isSessionLink: false, apply }
}

/** Links the account of a form to the signed-in user. Nobody signs in with it until the session was confirmed. */
async function linkApplicationUser(
  user: AdapterUser,
  { account, user: profile }: Identity,
  deps: ApplicationUserDeps
): Promise<ResolvedUser> {
  const { isLinked, linkMarker } = await writeSessionLink(user, account, deps)
  if (!isLinked) return resolvedUser(user, account, { confirmBy: 'account' })
  await deps.emit('linkAccount', { user, account, profile })
  return resolvedUser(user, account, { isLinked, needsBefore: true, linkMarker })
}

async function createApplicationUser(
  row: NewUser,
  identity: Identity,
  { store, emit, now, hasInterruptions }: ApplicationUserDeps
): Promise<ResolvedUser> {
  const { account } = identity
  try {
    const { user: created } = await createUserWithAccount(row, identity, { store, now })
    await emit('createUser', { user: created })
    return resolvedUser(created, account, { isNewUser: true, confirmBy: 'nothing' })
  } catch (error) {
    const reason = error instanceof LinkError ? error.reason : error
    if (!(reason instanceof StoreError)) throw error
    const userWithEmail = row.email === null ? null : await store.getUserByEmail(row.email)
    const other = userWithEmail && (await findOtherFirstSignIn(account, userWithEmail, { store, now }))
    const owner = other?.owner ?? (await store.getUserByAccount(account))
    // The interruptions of this user may differ from those of a new one.
    if (owner && hasInterruptions) throw new SignInConflict()
    if (owner) return resolvedUser(owner, account, { confirmBy: 'account' })
    if (reason.isOutage) throw reason
    throw userWithEmail
      ? taken(account, reason)
      : new AuthError(createUserErrors.application, `${account.provider}: ${reason.message}`, { cause: reason })
  }
}
