import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Netlify user profile that Postern reads. */
export interface NetlifyProfile {
  readonly id: string
  readonly full_name: string
  readonly email: string
  readonly avatar_url: string
}

/** Sign-in with Netlify. `clientId` and `clientSecret` default to `AUTH_NETLIFY_ID` and `AUTH_NETLIFY_SECRET`. */
export default function netlify(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'netlify',
    name: 'Netlify',
    type: 'oauth',
    authorization: 'https://app.netlify.com/authorize',
    token: 'https://api.netlify.com/oauth/token',
    userinfo: 'https://api.netlify.com/api/v1/user',
    profile: ({ id, full_name, email, avatar_url }: NetlifyProfile) => ({
      id,
      name: full_name,
      email,
      image: avatar_url
    }),
    style: { bg: '#32e6e2', text: '#0e1e25' },
    options
  }
}
