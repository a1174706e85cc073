import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the United Effects user profile that Postern reads. */
export interface UnitedEffectsProfile {
  readonly sub: string
  readonly email: string
}

/**
 * Sign-in with United Effects. `clientId`, `clientSecret` and `issuer` (`https://auth.unitedeffects.com/<group>`) default
 * to `AUTH_UNITED_EFFECTS_ID`, `AUTH_UNITED_EFFECTS_SECRET` and `AUTH_UNITED_EFFECTS_ISSUER`.
 */
export default function unitedEffects(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'united-effects',
    name: 'United Effects',
    type: 'oauth',
    idToken: true,
    authorization: { params: { scope: 'openid email profile', resource: '{issuer}' } },
    profile: ({ sub, email }: UnitedEffectsProfile) => ({ id: sub, name: null, email, image: null }),
    options
  }
}
