import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'

/**
 * Refuses to create a user with an address that is reserved for a user who exists, under another address. Call it after no
 * user was found with the address: a reservation is written before its user gets another one.
 *
 * @throws AuthError `OAuthAccountNotLinked`
 */
export async function requireUnreserved(
  { account }: Pick<Identity, 'account'>,
  email: string | null,
  { isEmailReserved }: { readonly isEmailReserved: ((email: string) => Promise<boolean>) | null }
): Promise<void> {
  if (email === null || !(await isEmailReserved?.(email))) return
  throw new AuthError('OAuthAccountNotLinked', `${account.provider}: the address is reserved for another user`)
}
