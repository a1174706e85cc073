import type { Profile } from '../model/identity.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Threads user profile that Postern reads. */
export interface ThreadsProfile {
  readonly data: {
    readonly id: string
    readonly username?: string
    readonly threads_profile_picture_url?: string
  }
}

/** Only some versions of the API wrap the user in `data`. */
const enveloped = (profile: Profile): Profile => ('data' in profile ? profile : { data: profile })

/** Sign-in with Threads. `clientId` and `clientSecret` default to `AUTH_THREADS_ID` and `AUTH_THREADS_SECRET`. */
export default function threads(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'threads',
    name: 'Threads',
    type: 'oauth',
    authorization: { url: 'https://threads.net/oauth/authorize', params: { scope: 'threads_basic' } },
    token: 'https://graph.threads.net/oauth/access_token',
    userinfo: {
      url: 'https://graph.threads.net/v1.0/me',
      params: { fields: 'id,username,threads_profile_picture_url' }
    },
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    hooks: { afterProfile: enveloped },
    profile: ({ data: { id, username, threads_profile_picture_url } }: ThreadsProfile) => ({
      id,
      name: username || null,
      email: null,
      image: threads_profile_picture_url || null
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
