import type { AccountTokens } from '../model/account.ts'
import { decodeJws } from '../tokens/jws.ts'

/** Characters of a `sid`; a longer one could not be looked up. */
const longest = 255

/**
 * The provider's own name for the session that an account was signed in with.
 *
 * @returns The claim `sid` of the ID Token, which was verified when it came; `null` where there is none.
 * @see OpenID Connect Back-Channel Logout 1.0 §2.1
 */
export function providerSessionOf({ id_token }: AccountTokens): string | null {
  const sid = typeof id_token === 'string' ? decodeJws(id_token)?.claims['sid'] : null
  return typeof sid === 'string' && sid !== '' && sid.length <= longest ? sid : null
}
