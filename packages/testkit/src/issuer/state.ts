import type { Faults } from './faults.ts'
import type { Algorithm, SigningKey } from './keys.ts'
import type { Person } from './person.ts'

/** The registered client. */
export interface Client {
  readonly id: string
  /** `null` for a public client. */
  readonly secret: string | null
  /** `null` if any URI is accepted. */
  readonly redirectUris: readonly string[] | null
}

/** An unused authorization code, with the parameters of its authorization request. */
export interface Grant {
  readonly person: Person
  readonly scope: string
  readonly redirectUri: string
  readonly nonce: string | null
  /** `null` if the request contained none, and none was required. */
  readonly codeChallenge: string | null
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** The user and scope of an access token. */
export type Access = Pick<Grant, 'person' | 'scope'>

/** The shared state of one issuer. */
export interface State {
  readonly issuer: string
  readonly client: Client
  readonly alg: Algorithm
  /** Seconds since 1970. */
  readonly now: () => number
  readonly faults: Faults
  readonly codes: Map<string, Grant>
  readonly accessTokens: Map<string, Access>
  readonly refreshTokens: Map<string, Grant>
  readonly hasClaimsInIdToken: boolean
  readonly isPlainOAuthAllowed: boolean
  readonly hasRefreshTokens: boolean
  key: SigningKey
  /** The user if none is named. */
  readonly person: Person
}
