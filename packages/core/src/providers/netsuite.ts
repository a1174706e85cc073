import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** NetSuite has no profile endpoint: `userinfo` is the URL of a RESTlet in the account that returns a profile. */
export type NetSuiteOptions = OAuthOptions & {
  /** The account id: `1234567`, or `1234567_SB1` for a sandbox. */
  readonly accountID: string
  readonly userinfo: NonNullable<OAuthConfig['userinfo']>
}

/** The expected response of the RESTlet. */
export interface NetSuiteProfile {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** Sign-in with NetSuite. `clientId` and `clientSecret` default to `AUTH_NETSUITE_ID` and `AUTH_NETSUITE_SECRET`. */
export default function netSuite(options: NetSuiteOptions): OAuthConfig
export default function netSuite(options: Partial<NetSuiteOptions> = {}): OAuthConfig {
  const account = (options.accountID ?? '').toLowerCase().replaceAll('_', '-')
  return {
    id: 'netsuite',
    name: 'NetSuite',
    type: 'oauth',
    needs: ['accountID', 'userinfo'],
    authorization: {
      url: `https://${account}.app.netsuite.com/app/login/oauth2/authorize.nl`,
      params: { scope: 'restlets rest_webservices' }
    },
    token: `https://${account}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
    profile: ({ id, name, email }: NetSuiteProfile) => ({ id: String(id), name, email, image: null }),
    style: { bg: '#181a1b', text: '#fbfbfb' },
    options
  }
}
