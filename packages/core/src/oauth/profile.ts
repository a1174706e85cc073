import type { Account } from '../model/account.ts'
import type { Identity, Profile } from '../model/identity.ts'
import type { OAuthProvider, TokenSet } from '../model/provider.ts'

/** A profile that cannot be a person. */
export class ProfileError extends Error {
  override readonly name: string = 'ProfileError'
}

function idOf(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id
  if (typeof id === 'number' && Number.isFinite(id)) return String(id)
  throw new ProfileError('expected the profile to have an id, a text or a number')
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** @returns Whether the provider states that the address is proven: only a plain `true` is such a statement. */
function isVerified(stated: unknown, raw: Profile, email: string | null, { verifiesEmail }: OAuthProvider): boolean {
  if (email === null) return false
  if (verifiesEmail || stated === true) return true
  return stated === undefined && raw['email_verified'] === true && textOrNull(raw['email'])?.toLowerCase() === email
}

/** The fields of a token response that belong on an account; what is not standard stays out of the row. */
function accountOf({ id, type }: OAuthProvider, providerAccountId: string, tokens: TokenSet): Account {
  const { access_token, refresh_token, id_token, token_type, scope, session_state, expires_at } = tokens
  const fields = { access_token, refresh_token, id_token, token_type, scope, session_state, expires_at }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return { provider: id, type, providerAccountId, ...Object.fromEntries(given) }
}

/**
 * Makes an identity of what a provider said.
 *
 * @throws ProfileError where there is no id.
 */
export async function toIdentity(raw: Profile, tokens: TokenSet, provider: OAuthProvider): Promise<Identity> {
  const mapped: unknown = await provider.profile(raw, tokens)
  if (typeof mapped !== 'object' || mapped === null)
    throw new ProfileError('expected the profile function to return a user')
  const { id, name, email, image, emailVerified, ...extra }: Record<string, unknown> = { ...mapped }
  const user = {
    ...extra,
    id: idOf(id),
    name: textOrNull(name),
    email: textOrNull(email)?.toLowerCase() ?? null,
    image: textOrNull(image)
  }
  return {
    account: accountOf(provider, user.id, tokens),
    user,
    emailVerified: isVerified(emailVerified, raw, user.email, provider),
    profile: raw
  }
}
