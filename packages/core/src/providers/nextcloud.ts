import type { Profile } from '../model/identity.ts'
import type { ProfileContext } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Nextcloud user profile that Postern reads. */
export interface NextcloudProfile {
  readonly id: string
  readonly displayname: string
  readonly email: string | null
  readonly avatar: string
}

const inner = (value: unknown, name: string): unknown => Object(value)[name]

/** Unwraps the profile, and derives the picture's URL from the id. */
function unwrapped({ ocs }: Profile, { provider }: ProfileContext): Profile {
  const data: Profile = { ...Object(inner(ocs, 'data')) }
  const issuer = provider.issuer?.replace(/\/$/, '')
  return { ...data, avatar: `${issuer}/avatar/${encodeURIComponent(String(data['id']))}/512` }
}

/**
 * Sign-in with a Nextcloud server. `clientId`, `clientSecret` and `issuer` (its URL) default to `AUTH_NEXTCLOUD_ID`,
 * `AUTH_NEXTCLOUD_SECRET` and `AUTH_NEXTCLOUD_ISSUER`.
 */
export default function nextcloud(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'nextcloud',
    name: 'Nextcloud',
    type: 'oauth',
    authorization: { url: '{issuer}/apps/oauth2/authorize', params: { scope: 'openid profile email' } },
    token: { url: '{issuer}/apps/oauth2/api/v1/token' },
    userinfo: { url: '{issuer}/ocs/v1.php/cloud/users' },
    idToken: false,
    hooks: {
      userinfoRequest: (call, { user_id }) => ({
        ...call,
        url: `${call.url}/${encodeURIComponent(String(user_id))}`,
        headers: { ...call.headers, 'ocs-apirequest': 'true' }
      }),
      afterProfile: unwrapped
    },
    profile: ({ id, displayname, email, avatar }: NextcloudProfile) => ({
      id,
      name: displayname,
      email,
      image: avatar
    }),
    style: { bg: '#fff', text: '#0082C9' },
    options
  }
}
