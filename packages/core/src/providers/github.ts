import type { Profile } from '../model/identity.ts'
import type { OAuthConfig } from '../model/provider-config.ts'

export type GitHubOptions = Partial<Omit<OAuthConfig, 'id' | 'type' | 'options'>>

interface GitHubAddress {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
}

function isAddress(value: unknown): value is GitHubAddress {
  return typeof value === 'object' && value !== null && 'email' in value && 'verified' in value && 'primary' in value
}

/** GitHub names only a public address in the profile, and says nowhere there whether it is proven. */
async function withAddress(profile: Profile, get: (url: string) => Promise<unknown>): Promise<Profile> {
  const list = await get('https://api.github.com/user/emails').catch(() => [])
  const addresses = Array.isArray(list) ? list.filter(isAddress) : []
  const named = addresses.find(({ email }) => email === profile['email'])
  const best = named ?? addresses.find(({ primary }) => primary) ?? addresses[0]
  return best ? { ...profile, email: best.email, email_verified: best.verified === true } : profile
}

/** Sign-in with GitHub. `clientId` and `clientSecret` default to `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`. */
export default function github(options: GitHubOptions = {}): OAuthConfig {
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    issuer: 'https://github.com/login/oauth',
    authorization: { url: 'https://github.com/login/oauth/authorize', params: { scope: 'read:user user:email' } },
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    hooks: { afterProfile: (profile, _tokens, get) => withAddress(profile, get) },
    profile: ({ id, name, login, email, avatar_url }: GitHubProfile) => ({
      id: String(id),
      name: name ?? login,
      email,
      image: avatar_url
    }),
    style: { bg: '#24292f', text: '#fff' },
    options
  }
}

/** What GitHub says of a user, as far as it is used. */
export interface GitHubProfile {
  readonly id: number
  readonly login: string
  readonly name: string | null
  readonly email: string | null
  readonly avatar_url: string
}
