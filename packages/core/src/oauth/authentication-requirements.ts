import { AuthError } from '../errors/auth-error.ts'
import { type AuthenticationContext, parseAcr } from '../model/authentication.ts'
import type { AuthenticationRequirements, OAuthProvider } from '../model/provider.ts'
import type { OAuthContext } from './context.ts'

/** Combines what the provider requires with what one sign-in requires in addition. */
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
    maxAge: ages.length > 0 ? Math.min(...ages) : null,
    isImpossible: configured.acr.length > 0 && acr.length > 0 && both.length === 0
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
 * Checks that the provider did what it was asked for. It may ignore `acr_values` and `max_age`, so the claims of the verified
 * ID Token decide.
 *
 * @throws AuthError `UnmetRequirements`
 */
export function checkRequirements(
  { provider: { id, acr, amr, authTime } }: AuthenticationContext,
  requires: AuthenticationRequirements,
  { runtime, clockTolerance }: Pick<OAuthContext, 'runtime' | 'clockTolerance'>
): void {
  const refuse = (message: string): never => {
    throw new AuthError('UnmetRequirements', `${id}: ${message}`)
  }
  const now = Math.floor(runtime.now() / 1000)
  if (requires.isImpossible) refuse('requires.acr and the guard have no value in common')
  if (requires.acr.length > 0 && !requires.acr.includes(acr ?? ''))
    refuse(`acr: expected ${requires.acr.join(' or ')}, got ${parseAcr(acr) ?? 'nothing'}`)
  const missing = requires.amr.filter((value) => !amr.includes(value))
  if (missing.length > 0) refuse(`amr: expected ${missing.join(' and ')}, got ${amr.join(', ') || 'nothing'}`)
  if (requires.maxAge === null) return
  if (authTime === null) refuse('auth_time: expected the time of the authentication, got nothing')
  else if (authTime < now - requires.maxAge - clockTolerance)
    refuse(`auth_time: expected at most ${requires.maxAge} seconds ago, got ${now - authTime}`)
}

/** Whether a provider can confirm a recent authentication: by `auth_time`, or because the application trusts it. */
export function canConfirm({ idToken, assumeFresh }: Pick<OAuthProvider, 'idToken' | 'assumeFresh'>): boolean {
  return idToken || assumeFresh
}
