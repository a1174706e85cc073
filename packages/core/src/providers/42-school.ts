import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the 42 user profile that Postern reads. */
export interface FortyTwoProfile {
  readonly id: number
  readonly usual_full_name: string
  readonly email: string
  readonly image_url?: string | null
  readonly image?: { readonly link: string | null } | null
}

/** Sign-in with 42 School. `clientId` and `clientSecret` default to `AUTH_42_SCHOOL_ID` and `AUTH_42_SCHOOL_SECRET`. */
export default function fortyTwo(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: '42-school',
    name: '42 School',
    type: 'oauth',
    authorization: { url: 'https://api.intra.42.fr/oauth/authorize', params: { scope: 'public' } },
    token: 'https://api.intra.42.fr/oauth/token',
    userinfo: 'https://api.intra.42.fr/v2/me',
    profile: ({ id, usual_full_name, email, image_url, image }: FortyTwoProfile) => ({
      id: String(id),
      name: usual_full_name,
      email,
      image: image_url ?? image?.link ?? null
    }),
    options
  }
}
