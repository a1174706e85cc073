import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { Provider } from '../model/provider.ts'

/**
 * Requires that a user may be created with the address of an identity that has no user.
 *
 * @throws AuthError `AccessDenied`
 */
export async function requireSignUp({ user: { email } }: Identity, { id, traits }: Provider): Promise<void> {
  const { maySignUp } = traits
  if (!maySignUp || (email && (await maySignUp(email)))) return
  throw new AuthError('AccessDenied', `${id}: nobody may sign up with this address`)
}
