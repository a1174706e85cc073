import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the ClickUp user profile that Postern reads. */
export interface ClickUpProfile {
  readonly user: {
    readonly id: number
    readonly username: string
    readonly color: string
    readonly profilePicture: string | null
  }
}

/** Sign-in with ClickUp. `clientId` and `clientSecret` default to `AUTH_CLICK_UP_ID` and `AUTH_CLICK_UP_SECRET`. */
export default function clickUp(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'click-up',
    name: 'ClickUp',
    type: 'oauth',
    authorization: { url: 'https://app.clickup.com/api', params: { scope: 'openid profile email' } },
    token: 'https://api.clickup.com/api/v2/oauth/token',
    userinfo: 'https://api.clickup.com/api/v2/user',
    idToken: false,
    checks: ['state'],
    profile: ({ user: { id, username, profilePicture, color } }: ClickUpProfile) => ({
      id: String(id),
      name: username,
      profilePicture,
      color
    }),
    style: { bg: '#24292f', text: '#fff' },
    options
  }
}
