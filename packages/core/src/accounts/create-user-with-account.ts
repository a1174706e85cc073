import type { NewUser } from '../adapter/adapter.ts'
import type { Identity } from '../model/identity.ts'
import { recordEvidence } from './account-evidence.ts'
import { type CreatedUser, createUserThenAccount } from './create-user-fallback.ts'
import type { LinkDeps } from './write-link.ts'

/**
 * Creates a user with an account: both or none.
 *
 * The store's `createUserWithAccount` writes both at once; within the transaction of a sign-in, `adapter/transaction.ts` records
 * it for `transact`. Other stores write one after the other: a failure removes the user again, or lets the same account continue.
 *
 * @throws AuthError `OAuthAccountNotLinked`; StoreError if the user was not created; LinkError if the account was not linked.
 */
export async function createUserWithAccount(row: NewUser, identity: Identity, deps: LinkDeps): Promise<CreatedUser> {
  const { store } = deps
  if (store.createUserWithAccount) {
    const user = await store.createUserWithAccount(row, identity.row)
    await recordEvidence(identity, user.id, deps).catch(() => undefined)
    return { user, isLinked: true }
  }
  // The email address counts as verified only after the account is linked: until then, the sign-in can continue.
  const { user, isLinked } = await createUserThenAccount({ ...row, emailVerified: null }, identity, deps)
  await recordEvidence(identity, user.id, deps).catch(() => undefined)
  const { email, emailVerified } = row
  // Both fields are written: the application may have changed the address meanwhile.
  const verified = emailVerified && (await store.updateUser({ id: user.id, email, emailVerified }).catch(() => null))
  return { user: verified ?? user, isLinked }
}
