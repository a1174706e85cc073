import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Mastodon user profile that Postern reads. */
export interface MastodonProfile {
  readonly id: string
  readonly username: string
  readonly avatar_static: string
}

/**
 * Sign-in with one Mastodon instance. `clientId`, `clientSecret` and `issuer` (`https://mastodon.social`) default to
 * `AUTH_MASTODON_ID`, `AUTH_MASTODON_SECRET` and `AUTH_MASTODON_ISSUER`.
 */
export default function mastodon(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'mastodon',
    name: 'Mastodon',
    type: 'oauth',
    authorization: { url: '{issuer}/oauth/authorize', params: { scope: 'read' } },
    token: { url: '{issuer}/oauth/token' },
    userinfo: { url: '{issuer}/api/v1/accounts/verify_credentials' },
    profile: ({ id, username, avatar_static }: MastodonProfile) => ({
      id,
      name: username,
      email: null,
      image: avatar_static
    }),
    options
  }
}
