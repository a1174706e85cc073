import type { Profile } from '../model/identity.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Google user profile that Postern reads. */
export interface GoogleProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture: string
  /** The domain of the Google Workspace organization. */
  readonly hd?: string
}

/**
 * Google hosts the mailboxes of Gmail and of Google Workspace. Any other address was the user’s when the Google account was
 * created, and may have passed to another person since.
 */
function isHosted({ email, hd }: Profile): boolean {
  const isGmail = typeof email === 'string' && email.toLowerCase().endsWith('@gmail.com')
  return isGmail || (typeof hd === 'string' && hd !== '')
}

/** Sign-in with Google. `clientId` and `clientSecret` default to `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`. */
export default function google(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'google',
    name: 'Google',
    type: 'oauth',
    issuer: 'https://accounts.google.com',
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    hooks: { isEmailAuthority: isHosted },
    profile: ({ sub, name, email, picture }: GoogleProfile) => ({ id: sub, name, email, image: picture }),
    style: { bg: '#fff', text: '#000' },
    options
  }
}
