import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Mail.ru user profile that Postern reads. */
export interface MailRuProfile {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly image: string
}

/** Sign-in with Mail.ru. `clientId` and `clientSecret` default to `AUTH_MAILRU_ID` and `AUTH_MAILRU_SECRET`. */
export default function mailRu(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'mailru',
    name: 'Mail.ru',
    type: 'oauth',
    authorization: { url: 'https://oauth.mail.ru/login', params: { scope: 'userinfo' } },
    token: 'https://oauth.mail.ru/token',
    userinfo: 'https://oauth.mail.ru/userinfo',
    profile: ({ id, name, email, image }: MailRuProfile) => ({ id, name, email, image }),
    options
  }
}
