import type { OAuthConfig, OAuthOptions } from '../model/provider-config.ts'

/** The fields of the Eventbrite user profile that Postern reads. */
export interface EventbriteProfile {
  readonly id: string
  readonly name: string
  readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[]
  readonly image_id: string | null
}

const images = 'https://img.evbuc.com/https%3A%2F%2Fcdn.evbuc.com%2Fimages%2F'

/** Sign-in with Eventbrite. `clientId` and `clientSecret` default to `AUTH_EVENTBRITE_ID` and `AUTH_EVENTBRITE_SECRET`. */
export default function eventbrite(options: OAuthOptions = {}): OAuthConfig {
  return {
    id: 'eventbrite',
    name: 'Eventbrite',
    type: 'oauth',
    authorization: { url: 'https://www.eventbrite.com/oauth/authorize', params: { scope: 'user.profile' } },
    token: 'https://www.eventbrite.com/oauth/token',
    userinfo: 'https://www.eventbriteapi.com/v3/users/me/',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, name, emails, image_id }: EventbriteProfile) => {
      const address = emails.find(({ primary }) => primary)
      const image = image_id ? `${images}${image_id}%2F1%2Foriginal.jpg` : null
      return { id, name, email: address?.email ?? null, image, emailVerified: address?.verified === true }
    },
    style: { bg: '#f05537', text: '#fff' },
    options
  }
}
