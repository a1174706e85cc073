import type { Region } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'
import { grantOverBy } from './hooks/quirks.ts'

/** The fields of the Zoho user profile that Postern reads. */
export interface ZohoProfile {
  readonly ZUID: number
  readonly First_Name?: string | null
  readonly Last_Name?: string | null
  readonly Email: string
}

/** The accounts servers of Zoho's data centers. The first has the authorization endpoint. */
const servers: Readonly<Record<string, string | null>> = {
  'https://accounts.zoho.com': null,
  'https://accounts.zoho.eu': 'eu',
  'https://accounts.zoho.in': 'in',
  'https://accounts.zoho.com.au': 'au',
  'https://accounts.zoho.com.cn': 'cn',
  'https://accounts.zoho.jp': 'jp',
  'https://accounts.zohocloud.ca': 'ca',
  'https://accounts.zoho.sa': 'sa',
  'https://accounts.zoho.uk': 'uk',
  'https://accounts.zoho.ae': 'ae'
}

const toRegion = (server: string, id: string | null): Region | null =>
  id === null ? null : { id, token: `${server}/oauth/v2/token`, userinfo: `${server}/oauth/user/info` }

const regions = Object.fromEntries(Object.entries(servers).map(([server, id]) => [server, toRegion(server, id)]))

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
    hooks: { isGrantOver: grantOverBy('invalid_code'), regions: { parameter: 'accounts-server', byValue: regions } },
    profile: ({ ZUID, First_Name, Last_Name, Email }: ZohoProfile) => ({
      id: ZUID,
      name: joinName(First_Name, Last_Name),
      email: Email,
      image: null
    }),
    options
  }
}
