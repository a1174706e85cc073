import type { OutboundCall } from '../model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'
import { joinName } from './hooks/join-name.ts'

/** `apiVersion` is a date without dashes. @defaultValue `20230131` */
export type FoursquareOptions = OAuthOptions & { readonly apiVersion?: string | undefined }

/** The fields of the Foursquare user profile that Postern reads. */
export interface FoursquareProfile {
  readonly response: {
    readonly user: {
      readonly id: string
      readonly firstName?: string | null
      readonly lastName?: string | null
      readonly contact: { readonly email?: string }
      readonly photo?: { readonly prefix: string; readonly suffix: string } | null
    }
  }
}

function withTokenInQuery(call: OutboundCall, token: string): OutboundCall {
  const { authorization: _, ...headers } = call.headers
  const url = new URL(call.url)
  url.searchParams.set('oauth_token', token)
  return { ...call, url: url.href, headers }
}

/** Sign-in with Foursquare. `clientId` and `clientSecret` default to `AUTH_FOURSQUARE_ID` and `AUTH_FOURSQUARE_SECRET`. */
export default function foursquare({ apiVersion = '20230131', ...options }: FoursquareOptions = {}): OAuthConfig {
  return {
    id: 'foursquare',
    name: 'Foursquare',
    type: 'oauth',
    authorization: 'https://foursquare.com/oauth2/authenticate',
    token: 'https://foursquare.com/oauth2/access_token',
    userinfo: { url: 'https://api.foursquare.com/v2/users/self', params: { v: apiVersion } },
    hooks: { userinfoRequest: (call, { access_token }) => withTokenInQuery(call, access_token ?? '') },
    profile: ({ response: { user } }: FoursquareProfile) => ({
      id: user.id,
      name: joinName(user.firstName, user.lastName),
      email: user.contact.email ?? null,
      image: user.photo ? `${user.photo.prefix}original${user.photo.suffix}` : null
    }),
    style: { bg: '#000', text: '#fff' },
    options
  }
}
