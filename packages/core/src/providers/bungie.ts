import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** `apiKey` is listed with the client id in Bungie's application portal. */
export type BungieOptions = OAuthOptions & { readonly apiKey: string }

/** The fields of the Bungie user profile that Postern reads. */
export interface BungieProfile {
  readonly Response: {
    readonly bungieNetUser: {
      readonly membershipId: string
      readonly displayName: string
      readonly profilePicturePath: string
    }
  }
}

/** Sign-in with Bungie. `clientId` and `clientSecret` default to `AUTH_BUNGIE_ID` and `AUTH_BUNGIE_SECRET`. */
export default function bungie(options: BungieOptions): OAuthConfig
export default function bungie(options: Partial<BungieOptions> = {}): OAuthConfig {
  const { apiKey = '' } = options
  return {
    id: 'bungie',
    name: 'Bungie',
    type: 'oauth',
    needs: ['apiKey'],
    authorization: { url: 'https://www.bungie.net/en/OAuth/Authorize', params: { reauth: 'true' } },
    token: 'https://www.bungie.net/Platform/App/OAuth/token/',
    userinfo: 'https://www.bungie.net/Platform/User/GetMembershipsForCurrentUser/',
    hooks: { userinfoRequest: (call) => ({ ...call, headers: { ...call.headers, 'x-api-key': apiKey } }) },
    profile: ({ Response: { bungieNetUser } }: BungieProfile) => {
      const { membershipId, displayName, profilePicturePath } = bungieNetUser
      const path = profilePicturePath.startsWith('/') ? profilePicturePath : `/${profilePicturePath}`
      return { id: membershipId, name: displayName, email: null, image: `https://www.bungie.net${path}` }
    },
    options
  }
}
