import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** The fields of the Zoom user profile that Postern reads. */
export interface ZoomProfile {
  readonly id: string
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly email: string
  readonly pic_url?: string
  /** 1 if the email address is verified. */
  readonly verified?: number
}

/** Sign-in with Zoom. `clientId` and `clientSecret` default to `AUTH_ZOOM_ID` and `AUTH_ZOOM_SECRET`. */
export default function zoom(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'zoom',
    name: 'Zoom',
    type: 'oauth',
    authorization: { url: 'https://zoom.us/oauth/authorize', params: { scope: '' } },
    token: 'https://zoom.us/oauth/token',
    userinfo: 'https://api.zoom.us/v2/users/me',
    profile: ({ id, first_name, last_name, email, pic_url, verified }: ZoomProfile) => ({
      id,
      name: joinName(first_name, last_name),
      email,
      image: pic_url ?? null,
      emailVerified: verified === 1
    }),
    style: { bg: '#0b5cff', text: '#fff' },
    options
  }
}
