import type { AdapterUser, NewUser } from '../adapter/adapter.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { Identity } from '../model/identity.ts'
import { recordEvidence } from './account-evidence.ts'
import { createUserErrors, SignInConflict } from './sign-in-errors.ts'
import type { PlanWriting } from './sign-in-plan.ts'

/** @throws SignInConflict, because another sign-in may have created the user at the same time. */
export function toConflict(error: unknown): never {
  throw error instanceof StoreError ? new SignInConflict(error) : error
}

/**
 * Creates a user with an account: both or none, if the store has transactions or `createUserWithAccount`.
 *
 * Other stores write one after the other. A user whose account the store refuses is deleted again; if the process ends in between,
 * the user stays without an account.
 *
 * @throws SignInConflict, AuthError
 */
export async function createUserWithAccount(
  row: NewUser,
  identity: Identity,
  writing: PlanWriting
): Promise<AdapterUser> {
  const { store } = writing
  const user = store.createUserWithAccount
    ? await store.createUserWithAccount(row, identity.row).catch(toConflict)
    : await createUserThenAccount(row, identity.row, writing)
  const recorded = recordEvidence(identity, user.id, store, writing.rules.now)
  // A transaction fails as a whole.
  await (store.transact ? recorded : recorded.catch(() => undefined))
  return user
}

/** The email address counts as verified only after the account is linked. */
async function createUserThenAccount(row: NewUser, account: Account, writing: PlanWriting): Promise<AdapterUser> {
  const { store } = writing
  const user = await store.createUser({ ...row, emailVerified: null }).catch(toConflict)
  if (store.transact) return linkFirst(user, row, account, writing)
  return writing.transaction.serialize(user.id, async () => {
    // Somebody may have proven the address since, and reclaimed the user.
    const current = await store.getUser(user.id)
    if (!current || (current.emailVerified && !user.emailVerified)) throw new SignInConflict(null)
    return linkFirst(user, row, account, writing)
  })
}

/** Links the first account of a user. */
async function linkFirst(
  user: AdapterUser,
  { email, emailVerified }: NewUser,
  account: Account,
  writing: PlanWriting
): Promise<AdapterUser> {
  const { store } = writing
  try {
    await store.linkAccount({ ...account, userId: user.id })
  } catch (error) {
    const owner = await store.getUserByAccount(account)
    // Otherwise only the reply was lost.
    if (owner?.id !== user.id) return refuse(error, { user, owner }, writing)
  }
  return emailVerified ? store.updateUser({ id: user.id, email, emailVerified }) : user
}

/** Deletes a new user whose account the store has refused. @throws SignInConflict, AuthError */
async function refuse(
  error: unknown,
  { user, owner }: { readonly user: AdapterUser; readonly owner: AdapterUser | null },
  { store, policy }: PlanWriting
): Promise<never> {
  // An account that may be linked late needs its user.
  if (!(error instanceof StoreError) || error.isOutage) throw error
  if (!(await deleteUnused(user, store).catch(() => false))) throw error
  throw owner ? new SignInConflict(error) : new AuthError(createUserErrors[policy], error.message, { cause: error })
}

/** @returns Whether the user was deleted: not if the owner of the address has reclaimed them meanwhile. */
async function deleteUnused({ id }: AdapterUser, store: Store): Promise<boolean> {
  if (!store.deleteUser) return false
  const accounts = (await store.getAccounts?.(id)) ?? []
  if (accounts.length > 0 || (await store.getUser(id))?.emailVerified) return false
  await store.deleteUser(id)
  return true
}
