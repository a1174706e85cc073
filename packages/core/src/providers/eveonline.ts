import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the EVE Online character profile that Postern reads. */
export interface EVEOnlineProfile {
  readonly CharacterID: number
  readonly CharacterName: string
}

/** Sign-in with EVE Online. `clientId` and `clientSecret` default to `AUTH_EVEONLINE_ID` and `AUTH_EVEONLINE_SECRET`. */
export default function eveOnline(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'eveonline',
    name: 'EVE Online',
    type: 'oauth',
    issuer: 'https://login.eveonline.com',
    authorization: { url: 'https://login.eveonline.com/v2/oauth/authorize', params: { scope: 'publicData' } },
    token: 'https://login.eveonline.com/v2/oauth/token',
    userinfo: 'https://login.eveonline.com/oauth/verify',
    checks: ['state'],
    profile: ({ CharacterID, CharacterName }: EVEOnlineProfile) => ({
      id: String(CharacterID),
      name: CharacterName,
      email: null,
      image: `https://image.eveonline.com/Character/${CharacterID}_128.jpg`
    }),
    options
  }
}
