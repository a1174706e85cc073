import type { Faults } from './faults.ts'
import type { Algorithm, SigningKey } from './keys.ts'
import type { Person } from './person.ts'

/** The client that is registered at the issuer. */
export interface Client {
  readonly id: string
  /** `null`: a public client. */
  readonly secret: string | null
  /** `null`: any is taken. */
  readonly redirectUris: readonly string[] | null
}

/** A code that was given out and not used yet, with what the authorization request said. */
export interface Grant {
  readonly person: Person
  readonly scope: string
  readonly redirectUri: string
  readonly nonce: string | null
  /** `null`: the request brought none, and did not have to. */
  readonly codeChallenge: string | null
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** What an access token opens. */
export type Access = Pick<Grant, 'person' | 'scope'>

/** Everything that the parts of one issuer share. */
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
  /** Who signs in where nobody else is named. */
  readonly person: Person
}
