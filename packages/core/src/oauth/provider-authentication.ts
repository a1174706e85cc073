import { type AuthenticationContext, parseAcr, parseAmr, parseSeconds } from '../model/authentication.ts'
import type { Profile } from '../model/identity.ts'
import type { OAuthProvider } from '../model/provider.ts'
import type { OAuthContext } from './context.ts'

/**
 * Reads how a provider authenticated the user.
 *
 * A provider may sign users in without asking them. Therefore, the time is unknown unless a verified ID Token states it
 * (OpenID Connect Core §2), or the application trusts the provider with `assumeFresh`, and the provider states none.
 *
 * @param claims - Of a verified ID Token; `null` if there is none.
 */
export function createProviderAuthentication(
  claims: Profile | null,
  { id, assumeFresh }: Pick<OAuthProvider, 'id' | 'assumeFresh'>,
  { runtime, clockTolerance }: OAuthContext
): AuthenticationContext {
  const now = Math.floor(runtime.now() / 1000)
  const { acr, amr, auth_time } = claims ?? {}
  // Providers send 0 for a time that they do not know.
  const stated = auth_time === 0 ? undefined : auth_time
  const authTime = parseSeconds(stated, now + clockTolerance)
  const isAssumed = assumeFresh && stated === undefined
  return {
    amr: [],
    authTime: authTime === null ? (isAssumed ? now : null) : Math.min(Math.floor(authTime), now),
    provider: { id, acr: parseAcr(acr), amr: parseAmr(amr), authTime }
  }
}
