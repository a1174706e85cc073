import type { AdapterUser } from '../adapter/adapter.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Tell } from '../hooks/events.ts'
import type { Identity } from '../model/identity.ts'
import type { Admitted } from './admit.ts'
import { createThenLink } from './create-then-link.ts'

/**
 * Finds the stored user that the application's `authorize` named, for sessions that are kept in the store.
 *
 * It is the user with that id, else the owner of the account of that id, else a new one created together with it.
 *
 * @throws AuthError `OAuthAccountNotLinked`: the address belongs to another user.
 */
export async function admitCredentials({ account, user }: Identity, store: Store, tell: Tell): Promise<Admitted> {
  const returning = (known: AdapterUser): Admitted => ({
    user: known,
    account: { ...account, userId: known.id },
    isNewUser: false
  })
  const known = (await store.getUser(user.id)) ?? (await store.getUserByAccount(account))
  if (known) return returning(known)
  const { id: _, ...fields } = user
  const row = { ...fields, email: user.email ?? null, emailVerified: null }
  const taken = (cause?: unknown): AuthError =>
    new AuthError('OAuthAccountNotLinked', `${account.provider}: the address belongs to another user`, { cause })
  if (row.email !== null && (await store.getUserByEmail(row.email))) {
    // Another first sign-in may have been written between the looks.
    const owner = await store.getUserByAccount(account)
    if (owner) return returning(owner)
    throw taken()
  }
  try {
    const created = store.createUserWithAccount
      ? await store.createUserWithAccount(row, account)
      : await createThenLink(row, account, store)
    await tell('createUser', { user: created })
    return { user: created, account: { ...account, userId: created.id }, isNewUser: true }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const owner = await store.getUserByAccount(account)
    if (owner) return returning(owner)
    if (error.isOutage) throw error
    const isTaken = row.email !== null && (await store.getUserByEmail(row.email)) !== null
    throw isTaken ? taken(error) : new AuthError('Callback', `${account.provider}: ${error.message}`, { cause: error })
  }
}
