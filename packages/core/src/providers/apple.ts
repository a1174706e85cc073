import type { Profile } from '../model/identity.ts'
import type { ProfileContext } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { type AppleKey, appleClientSecret } from './hooks/apple-client-secret.ts'
import { joinName } from './hooks/join-name.ts'
import { canceledBy } from './hooks/quirks.ts'

/** `key` replaces `clientSecret`, which for Apple is a JWT that expires within six months. */
export type AppleOptions = OAuthOptions & { readonly key?: AppleKey | undefined }

/** The fields of the Apple user profile that Postern reads. */
export interface AppleProfile {
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean | 'true' | 'false'
}

function named(user: unknown): string | null {
  if (typeof user !== 'object' || user === null || !('name' in user)) return null
  const { firstName, lastName }: Readonly<Record<string, unknown>> = { ...Object(user.name) }
  return joinName(firstName, lastName)
}

/** Apple sends the name outside the ID Token, once. It is not a claim of Apple's, so only the name is taken from it. */
function withName(profile: Profile, { response }: ProfileContext): Profile {
  try {
    const name = named(JSON.parse(response.get('user') ?? 'null'))
    return name === null ? profile : { ...profile, name }
  } catch {
    return profile
  }
}

/** Sign-in with Apple. `clientId` and `clientSecret` default to `AUTH_APPLE_ID` and `AUTH_APPLE_SECRET`. */
export default function apple({ key, ...options }: AppleOptions = {}): OAuthConfig {
  return {
    id: 'apple',
    name: 'Apple',
    type: 'oauth',
    issuer: 'https://appleid.apple.com',
    idToken: true,
    verifiesEmail: true,
    authorization: { params: { scope: 'name email', response_mode: 'form_post' } },
    checks: ['state', 'nonce'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: {
      afterProfile: withName,
      isCanceled: canceledBy('user_cancelled_authorize'),
      ...(key ? { clientSecret: appleClientSecret(key) } : {})
    },
    profile: ({ sub, name, email, email_verified }: AppleProfile) => ({
      id: sub,
      name: name ?? null,
      email: email ?? null,
      image: null,
      emailVerified: email_verified === true || email_verified === 'true'
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
