import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Salesforce user profile that Postern reads. */
export interface SalesforceProfile {
  readonly user_id: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign-in with Salesforce. `clientId`, `clientSecret` and `issuer` (an organization's own domain) default to
 * `AUTH_SALESFORCE_ID`, `AUTH_SALESFORCE_SECRET` and `AUTH_SALESFORCE_ISSUER`, else `https://login.salesforce.com`.
 */
export default function salesforce(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'salesforce',
    name: 'Salesforce',
    type: 'oidc',
    issuer: 'https://login.salesforce.com',
    idToken: false,
    authorization: { params: { display: 'page' } },
    profile: ({ user_id, name, email, picture }: SalesforceProfile) => ({ id: user_id, name, email, image: picture }),
    style: { bg: '#00a1e0', text: '#fff' },
    options
  }
}
