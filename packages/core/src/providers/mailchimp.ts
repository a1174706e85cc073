import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Mailchimp user profile that Postern reads. */
export interface MailchimpProfile {
  readonly accountname: string
  readonly login: { readonly login_id: number; readonly email: string }
}

/** Sign-in with Mailchimp. `clientId` and `clientSecret` default to `AUTH_MAILCHIMP_ID` and `AUTH_MAILCHIMP_SECRET`. */
export default function mailchimp(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'mailchimp',
    name: 'Mailchimp',
    type: 'oauth',
    authorization: 'https://login.mailchimp.com/oauth2/authorize',
    token: 'https://login.mailchimp.com/oauth2/token',
    userinfo: 'https://login.mailchimp.com/oauth2/metadata',
    profile: ({ accountname, login }: MailchimpProfile) => ({
      id: login.login_id,
      name: accountname,
      email: login.email,
      image: null
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
