import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What one library's provider does, as its own code was seen to do it. */
export interface Recorded {
  readonly name: string
  readonly flow: 'oauth2' | 'oidc'
  readonly issuer: string | null
  readonly wellKnown: string | null
  readonly authorization: { readonly endpoint: string | null; readonly params: Readonly<Record<string, string>> }
  readonly token: { readonly url: string | null; readonly params: Readonly<Record<string, string>> }
  readonly userinfo: {
    readonly url: string | null
    readonly params: Readonly<Record<string, string>>
    /** A function of the provider's makes the request; what it sends is said with the case. */
    readonly custom: boolean
  }
  readonly clientAuth: 'client_secret_basic' | 'client_secret_post'
  readonly idTokenAlg?: 'HS256'
  readonly profileFrom: 'id_token' | 'userinfo'
  /** The user, field by field, in the words of `mapping.ts`. */
  readonly profile: Readonly<Record<string, string>>
  readonly style: Readonly<Record<string, string>> | null
}

export interface RecordedProvider {
  readonly id: string
  /** Whether Auth.js lets it have a code challenge. */
  readonly pkce: boolean
  readonly nextAuth?: Recorded
  readonly authJs?: Recorded
}

interface Recordings {
  readonly providers: readonly RecordedProvider[]
  /** The ids that are not OAuth provider. */
  readonly others: readonly { readonly id: string; readonly kind: string }[]
}

const file = join(import.meta.dirname, '../../../test/fixtures/recorded-providers.json')

export const recordings: Recordings = JSON.parse(readFileSync(file, 'utf8')) as Recordings
