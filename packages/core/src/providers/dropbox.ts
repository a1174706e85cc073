import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Dropbox user profile that Postern reads. */
export interface DropboxProfile {
  readonly account_id: string
  readonly name: { readonly display_name: string }
  readonly email: string
  readonly email_verified: boolean
  readonly profile_photo_url?: string
}

/** Sign-in with Dropbox. `clientId` and `clientSecret` default to `AUTH_DROPBOX_ID` and `AUTH_DROPBOX_SECRET`. */
export default function dropbox(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'dropbox',
    name: 'Dropbox',
    type: 'oauth',
    issuer: 'https://www.dropbox.com',
    authorization: {
      url: 'https://www.dropbox.com/oauth2/authorize',
      params: { token_access_type: 'offline', scope: 'account_info.read' }
    },
    token: 'https://api.dropboxapi.com/oauth2/token',
    userinfo: 'https://api.dropboxapi.com/2/users/get_current_account',
    hooks: { userinfoRequest: (call) => ({ ...call, method: 'POST' }) },
    profile: ({ account_id, name, email, email_verified, profile_photo_url }: DropboxProfile) => ({
      id: account_id,
      name: name.display_name,
      email,
      image: profile_photo_url ?? null,
      emailVerified: email_verified === true
    }),
    style: { bg: '#0061fe', text: '#fff' },
    options
  }
}
