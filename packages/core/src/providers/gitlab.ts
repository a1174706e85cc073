import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { refreshWithRedirectUri } from './hooks/refresh-with-redirect-uri.ts'

/** `baseUrl` is the URL of a self-managed GitLab. @defaultValue `https://gitlab.com` */
export type GitLabOptions = OAuthOptions & { readonly baseUrl?: string | undefined }

/** The fields of the GitLab user profile that Postern reads. */
export interface GitLabProfile {
  readonly id: number
  readonly username: string
  readonly name: string | null
  readonly email: string
  readonly avatar_url: string | null
  readonly confirmed_at?: string | null
}

/** Sign-in with GitLab. `clientId` and `clientSecret` default to `AUTH_GITLAB_ID` and `AUTH_GITLAB_SECRET`. */
export default function gitlab({ baseUrl = 'https://gitlab.com', ...options }: GitLabOptions = {}): OAuthConfig {
  // A self-managed GitLab may confirm email addresses without verifying them.
  const confirms = baseUrl === 'https://gitlab.com'
  return {
    id: 'gitlab',
    name: 'GitLab',
    type: 'oauth',
    issuer: baseUrl,
    authorization: { url: `${baseUrl}/oauth/authorize`, params: { scope: 'read_user' } },
    token: `${baseUrl}/oauth/token`,
    userinfo: `${baseUrl}/api/v4/user`,
    verifiesEmail: confirms,
    hooks: { tokenRequest: refreshWithRedirectUri },
    profile: ({ id, username, name, email, avatar_url, confirmed_at }: GitLabProfile) => ({
      id: String(id),
      name: name ?? username,
      email,
      image: avatar_url,
      emailVerified: confirms && typeof confirmed_at === 'string'
    }),
    style: { bg: '#FC6D26', text: '#fff' },
    options
  }
}
