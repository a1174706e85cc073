import { AuthError } from '../errors/auth-error.ts'
import { type AuthenticationContext, parseAcr, parseAmr, parseSeconds } from '../model/authentication.ts'
import type { Profile } from '../model/identity.ts'
import type { AuthenticationRequirements, OAuthProvider } from '../model/provider.ts'
import type { OAuthContext } from './context.ts'

/** Combines what the provider requires with what one sign-in requires in addition, for one request. */
export function joinRequirements(
  configured: AuthenticationRequirements,
  more: Partial<AuthenticationRequirements> | undefined
): AuthenticationRequirements {
  const { acr = [], amr = [], maxAge = null } = more ?? {}
  const ages = [configured.maxAge, maxAge].filter((age) => age !== null)
  const both = configured.acr.filter((value) => acr.includes(value))
  return {
    acr: configured.acr.length > 0 && acr.length > 0 ? both : [...configured.acr, ...acr],
    amr: [...new Set([...configured.amr, ...amr])],
    maxAge: ages.length > 0 ? Math.min(...ages) : null
  }
}

/** @returns The parameters of an authorization request (OpenID Connect Core §3.1.2.1). A query cannot replace them. */
export function requirementParameters({ acr, maxAge }: AuthenticationRequirements): Readonly<Record<string, string>> {
  return {
    ...(acr.length > 0 ? { acr_values: acr.join(' ') } : {}),
    ...(maxAge === null ? {} : { max_age: String(maxAge) })
  }
}

/**
 * Checks that the provider did what it was asked for (OpenID Connect Core §3.1.3.7 steps 12 and 13). It may ignore `acr_values` and `max_age`, so the claims of the verified
 * ID Token decide.
 *
 * @param reported - What the provider reported, with the time that counts.
 * @throws AuthError `UnmetRequirements`
 */
export function checkRequirements(
  { id, acr, amr, authTime }: AuthenticationContext['provider'],
  requires: Partial<AuthenticationRequirements>,
  { runtime, clockTolerance }: Pick<OAuthContext, 'runtime' | 'clockTolerance'>
): void {
  const refuse = (message: string): never => {
    throw new AuthError('UnmetRequirements', `${id}: ${message}`)
  }
  const { acr: values = [], amr: methods = [], maxAge = null } = requires
  if (values.length > 0 && !values.includes(acr ?? ''))
    refuse(`acr: expected ${values.join(' or ')}, got ${acr ?? 'nothing'}`)
  const missing = methods.filter((value) => !amr.includes(value))
  if (missing.length > 0) refuse(`amr: expected ${missing.join(' and ')}, got ${amr.join(', ') || 'nothing'}`)
  if (maxAge === null) return
  const age = authTime === null ? null : Math.floor(runtime.now() / 1000) - authTime
  if (age === null) refuse('auth_time: expected the time of the authentication, got nothing')
  else if (age > maxAge + clockTolerance) refuse(`auth_time: expected at most ${maxAge} seconds ago, got ${age}`)
}

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

/** Whether a provider can confirm a recent authentication: by `auth_time`, or because the application trusts it. */
export function canConfirm({ idToken, assumeFresh }: Pick<OAuthProvider, 'idToken' | 'assumeFresh'>): boolean {
  return idToken || assumeFresh
}
