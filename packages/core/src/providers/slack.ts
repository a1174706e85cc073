import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { grantOverBy } from './hooks/quirks.ts'

/** The fields of the Slack user profile that Postern reads. */
export interface SlackProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly picture: string
}

/** Sign-in with Slack. `clientId` and `clientSecret` default to `AUTH_SLACK_ID` and `AUTH_SLACK_SECRET`. */
export default function slack(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'slack',
    name: 'Slack',
    type: 'oauth',
    issuer: 'https://slack.com',
    idToken: true,
    authorization: { params: { scope: 'openid profile email' } },
    checks: ['state', 'nonce'],
    hooks: { isGrantOver: grantOverBy('invalid_refresh_token', 'token_expired', 'token_revoked') },
    profile: ({ sub, name, email, picture }: SlackProfile) => ({ id: sub, name, email, image: picture }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
