import type { Account } from '../model/account.ts'
import { issuerOfMetadata } from '../model/issuer.ts'
import type { Provider } from '../model/provider.ts'
import { decodeJws } from '../tokens/jws.ts'
import { isOAuth } from './oauth-provider.ts'
import { readVerifiedEmail } from './profile.ts'

/** The one issuer of a provider's ID Tokens; `null` if its tokens are not verified, or come from many tenants. */
function getIssuer(provider: Provider | undefined): string | null {
  if (!isOAuth(provider) || !provider.idToken) return null
  return provider.issuer ?? (provider.wellKnown && issuerOfMetadata(provider.wellKnown))
}

/**
 * Returns whether the ID Token that is stored with an account proves the email address: the provider is trusted for it.
 *
 * Only the provider's own issuer is trusted: if tenants share a provider, the administrator of any tenant can claim any
 * address. The statement must also apply to a sign-in: the provider's `profile` function or userinfo may override it.
 */
export async function isEmailInIdToken(
  { id_token, providerAccountId }: Pick<Account, 'id_token' | 'providerAccountId'>,
  email: string,
  provider: Provider | undefined
): Promise<boolean> {
  const issuer = getIssuer(provider)
  const claims = issuer !== null && typeof id_token === 'string' ? decodeJws(id_token)?.claims : null
  if (!issuer || !id_token || !isOAuth(provider) || claims?.['email_verified'] !== true) return false
  const { iss, email: stated } = claims
  const isOwnIssuer = typeof iss === 'string' && iss.replace(/\/$/, '') === issuer.replace(/\/$/, '')
  if (!isOwnIssuer || typeof stated !== 'string' || stated.toLowerCase() !== email) return false
  try {
    const verified = await readVerifiedEmail({ ...claims }, id_token, provider)
    return verified?.email === email && verified.id === providerAccountId
  } catch {
    return false
  }
}
