import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Spotify user profile that Postern reads. */
export interface SpotifyProfile {
  readonly id: string
  readonly display_name: string | null
  /** Spotify does not verify it. */
  readonly email: string
  readonly images?: readonly { readonly url: string }[]
}

/** Sign-in with Spotify. `clientId` and `clientSecret` default to `AUTH_SPOTIFY_ID` and `AUTH_SPOTIFY_SECRET`. */
export default function spotify(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'spotify',
    name: 'Spotify',
    type: 'oauth',
    issuer: 'https://accounts.spotify.com',
    authorization: { url: 'https://accounts.spotify.com/authorize', params: { scope: 'user-read-email' } },
    token: 'https://accounts.spotify.com/api/token',
    userinfo: 'https://api.spotify.com/v1/me',
    profile: ({ id, display_name, email, images }: SpotifyProfile) => ({
      id,
      name: display_name,
      email,
      image: images?.[0]?.url ?? null
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
