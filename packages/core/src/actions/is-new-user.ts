import type { AdapterUser } from '../adapter/adapter.ts'
import type { Config } from '../config/config.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/**
 * Returns whether a sign-in creates a user, as far as it can be known before the `signIn` callback.
 *
 * @param owner - The user of the identity, which is known already.
 * @throws AuthError `StoreUnavailable`
 */
export async function isNewUser(
  { proof: { identity }, provider, request }: SignInAttempt,
  owner: AdapterUser | null,
  { store, sessionReader }: Config
): Promise<boolean> {
  const { accountPolicy } = provider.traits
  if (owner || !store) return false
  if (accountPolicy !== 'link') return accountPolicy === 'mailbox'
  const { email } = identity.user
  if (email && (await store.getUserByEmail(email))) return false
  return (await sessionReader.readUser(request.cookies)) === null
}
