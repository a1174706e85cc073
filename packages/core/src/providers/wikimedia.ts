import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Wikimedia user profile that Postern reads. */
export interface WikimediaProfile {
  readonly sub: string
  readonly username: string
  readonly email?: string
  readonly confirmed_email?: boolean
}

const api = 'https://meta.wikimedia.org/w/rest.php/oauth2'

/** Sign-in with Wikimedia. `clientId` and `clientSecret` default to `AUTH_WIKIMEDIA_ID` and `AUTH_WIKIMEDIA_SECRET`. */
export default function wikimedia(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'wikimedia',
    name: 'Wikimedia',
    type: 'oauth',
    issuer: 'https://meta.wikimedia.org',
    authorization: { url: `${api}/authorize`, params: { scope: '' } },
    token: `${api}/access_token`,
    userinfo: `${api}/resource/profile`,
    verifiesEmail: true,
    profile: ({ sub, username, email, confirmed_email }: WikimediaProfile) => ({
      id: sub,
      name: username,
      email: email ?? null,
      emailVerified: confirmed_email === true
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
