import type { Profile } from '../model/identity.ts'
import type { TokenSet } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The claims of an EVE Online access token that Postern reads. */
export interface EVEOnlineProfile {
  /** `CHARACTER:EVE:` and the id of the character. */
  readonly sub: string
  /** The name of the character. */
  readonly name: string
}

/** The access token is a JWT about the character. It comes from EVE Online over TLS, so its signature proves nothing more. */
function readClaims({ access_token }: TokenSet): Profile {
  const [, payload = ''] = access_token?.split('.') ?? []
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (part) => part.charCodeAt(0))
  return { ...JSON.parse(new TextDecoder().decode(bytes)) }
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
    userinfo: { request: ({ tokens }) => readClaims(tokens) },
    checks: ['state'],
    profile: ({ sub, name }: EVEOnlineProfile) => {
      const id = String(sub).replace(/^CHARACTER:EVE:/, '')
      return { id, name, email: null, image: `https://images.evetech.net/characters/${id}/portrait?size=128` }
    },
    options
  }
}
