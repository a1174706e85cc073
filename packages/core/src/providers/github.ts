import type { Profile } from '../model/identity.ts'
import type { ProfileContext } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { grantOverBy } from './hooks/quirks.ts'

/** `enterprise` is the URL of a GitHub Enterprise Server. */
export type GitHubOptions = OAuthOptions & { readonly enterprise?: { readonly baseUrl: string } | undefined }

/** The fields of the GitHub user profile that Postern reads. */
export interface GitHubProfile {
  readonly id: number
  readonly login: string
  readonly name: string | null
  readonly email: string | null
  /** From the list of email addresses; the profile does not contain it. */
  readonly email_verified?: boolean
  readonly avatar_url: string
}

interface GitHubAddress {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
}

function isAddress(value: unknown): value is GitHubAddress {
  return typeof value === 'object' && value !== null && 'email' in value && 'verified' in value && 'primary' in value
}

/** The GitHub profile only contains a public email address, without its verification status. */
async function withAddress(profile: Profile, get: ProfileContext['get'], api: string): Promise<Profile> {
  const list: unknown = await get(`${api}/user/emails`)
    .then((response) => response.json())
    .catch(() => [])
  const addresses = Array.isArray(list) ? list.filter(isAddress) : []
  const named = addresses.find(({ email }) => email === profile['email'])
  const best = named ?? addresses.find(({ primary }) => primary) ?? addresses[0]
  return best ? { ...profile, email: best.email, email_verified: best.verified === true } : profile
}

/** Sign-in with GitHub. `clientId` and `clientSecret` default to `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`. */
export default function github({ enterprise, ...options }: GitHubOptions = {}): OAuthConfig {
  const base = enterprise?.baseUrl ?? 'https://github.com'
  const api = enterprise ? `${base}/api/v3` : 'https://api.github.com'
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    issuer: `${base}/login/oauth`,
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: 'read:user user:email' } },
    token: `${base}/login/oauth/access_token`,
    userinfo: `${api}/user`,
    // The administrator of a GitHub Enterprise Server can turn off the verification.
    verifiesEmail: !enterprise,
    hooks: {
      afterProfile: (profile, { get }) => withAddress(profile, get, api),
      isGrantOver: grantOverBy('bad_refresh_token')
    },
    profile: ({ id, name, login, email, email_verified, avatar_url }: GitHubProfile) => ({
      id: String(id),
      name: name ?? login,
      email,
      image: avatar_url,
      emailVerified: email_verified === true
    }),
    style: { bg: '#24292f', text: '#fff' },
    options
  }
}
