import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** The fields of the Zoho user profile that Postern reads. */
export interface ZohoProfile {
  readonly ZUID: number
  readonly First_Name?: string | null
  readonly Last_Name?: string | null
  readonly Email: string
}

/** Sign-in with Zoho. `clientId` and `clientSecret` default to `AUTH_ZOHO_ID` and `AUTH_ZOHO_SECRET`. */
export default function zoho(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'zoho',
    name: 'Zoho',
    type: 'oauth',
    issuer: 'https://accounts.zoho.com',
    authorization: { url: 'https://accounts.zoho.com/oauth/v2/auth', params: { scope: 'AaaServer.profile.Read' } },
    token: 'https://accounts.zoho.com/oauth/v2/token',
    userinfo: 'https://accounts.zoho.com/oauth/user/info',
    profile: ({ ZUID, First_Name, Last_Name, Email }: ZohoProfile) => ({
      id: ZUID,
      name: joinName(First_Name, Last_Name),
      email: Email,
      image: null
    }),
    options
  }
}
