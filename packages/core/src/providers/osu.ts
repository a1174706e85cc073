import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the osu! user profile that Postern reads. */
export interface OsuProfile {
  readonly id: number
  readonly username: string
  readonly avatar_url: string
}

/** Sign-in with osu!. `clientId` and `clientSecret` default to `AUTH_OSU_ID` and `AUTH_OSU_SECRET`. */
export default function osu(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'osu',
    name: 'Osu!',
    type: 'oauth',
    authorization: { url: 'https://osu.ppy.sh/oauth/authorize', params: { scope: 'identify' } },
    token: 'https://osu.ppy.sh/oauth/token',
    userinfo: 'https://osu.ppy.sh/api/v2/me',
    profile: ({ id, username, avatar_url }: OsuProfile) => ({ id, name: username, email: null, image: avatar_url }),
    options
  }
}
