import type { Store } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { Provider } from '../model/provider.ts'
import { isSameEmailAddress } from '../model/same-email.ts'
import { requireSameAddress } from './require-same-address.ts'
import type { ResolvedUser } from './resolved-user.ts'

/** The address whose mailbox an interruption of a sign-in has proven. */
interface ProvenAddress {
  readonly provenAddress: string | null
}

/** The identity of a new user, whose mailbox an interruption may have proven. */
export function withProvenAddress(
  identity: Identity,
  kind: ResolvedUser['kind'],
  { provenAddress }: ProvenAddress
): Identity {
  const isProven = kind === 'created' && isSameEmailAddress(provenAddress, identity.user.email)
  return isProven ? { ...identity, emailVerified: true } : identity
}

/**
 * Marks the address as verified whose mailbox an interruption has proven. Nothing ends: the account of the user was proven too.
 *
 * @throws AuthError `Callback` if the address has changed since
 */
export async function verifyProvenAddress(
  { kind, user }: ResolvedUser,
  { provenAddress }: ProvenAddress,
  store: Store,
  { provider, now }: { readonly provider: Pick<Provider, 'id'>; readonly now: () => number }
): Promise<void> {
  const { id, email = null, emailVerified } = user
  if (provenAddress === null || kind === 'created') return
  if (!isSameEmailAddress(email, provenAddress))
    throw new AuthError('Callback', `${provider.id}: the address of the user has changed during the sign-in`, {
      status: 401
    })
  if (emailVerified) return
  await requireSameAddress(user, store)
  await store.updateUser({ id, email, emailVerified: new Date(now()) })
}
