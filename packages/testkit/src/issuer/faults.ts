import type { JSONWebKeySet, JWTPayload } from 'jose'
import type { SigningKey } from './keys.ts'
import type { IssuerMetadata } from './metadata.ts'
import type { Person } from './person.ts'
import type { IssuerRequest } from './request.ts'

/**
 * What the issuer does wrong, one switch each. Any number of them may be on at once, and each may be thrown at any time.
 */
export interface Faults {
  /** The ID Token names another issuer. */
  wrongIss: boolean
  /** The ID Token is for another client. */
  wrongAud: boolean
  missingAud: boolean
  missingSub: boolean
  emptySub: boolean
  wrongNonce: boolean
  missingNonce: boolean
  /** The ID Token ended 20 s ago: more than a tolerance of 10 s, less than the 30 s that libraries allow. */
  expired: boolean
  missingExp: boolean
  /** The ID Token was issued an hour from now. */
  futureIat: boolean
  missingIat: boolean
  /** The signature of the ID Token is of the right length and wrong. */
  badSignature: boolean
  /** The ID Token is not signed, and says so. */
  algNone: boolean
  /** The ID Token is signed with the client secret. */
  hs256: boolean
  /** The ID Token was given to another client, and is for both. */
  wrongAzp: boolean
  /** The ID Token names a key that is not in the key set. */
  unknownKid: boolean
  /** The token response has no ID Token. */
  noIdToken: boolean
  /** The token response has no access token. */
  noAccessToken: boolean
  /** What the token endpoint answers instead; a body that is no text is sent as JSON. */
  tokenError: { readonly status: number; readonly body: unknown } | null
  /** More fields for the token response, or other values for those it has. */
  tokenFields: Readonly<Record<string, unknown>> | null
  /** The last word on the claims of the ID Token. */
  idTokenClaims: ((claims: JWTPayload) => JWTPayload) | null
  /** Signs the ID Token in the issuer's place. */
  idTokenSignature: ((claims: JWTPayload, key: SigningKey) => string | Promise<string>) | null
  userinfoWrongSub: boolean
  /** Answers userinfo in the issuer's place. */
  userinfo: ((claims: Person, key: SigningKey) => Response | Promise<Response>) | null
  /** What the userinfo endpoint answers instead of 200. */
  userinfoStatus: number | null
  /** The metadata names another issuer. */
  discoveryIssuerMismatch: boolean
  discoveryStatus: number | null
  /** The last word on the metadata. */
  metadata: ((metadata: IssuerMetadata) => unknown) | null
  jwksStatus: number | null
  /** The last word on the key set. */
  keySet: ((keys: JSONWebKeySet) => unknown) | null
  /** The callback names another issuer (RFC 9207). */
  callbackIssWrong: boolean
  /** The callback names no issuer, although the metadata promises it. */
  callbackIssMissing: boolean
  /** The callback brings this error and no code: `access_denied` is a visitor who cancelled. */
  callbackError: string | null
  /** The last word on the address that the visitor is sent back to. */
  callback: ((url: URL) => void) | null
  /** Nothing can be reached: every call fails as when a connection does. */
  unreachable: boolean
  /** Answers a request in the issuer's place; `null` leaves it to the issuer. */
  respond: ((request: IssuerRequest) => Response | Promise<Response> | null) | null
  /** The last word on every answer. */
  answer: ((response: Response, request: IssuerRequest) => Response | Promise<Response>) | null
}

/** An issuer without fault. */
export function noFaults(): Faults {
  return {
    wrongIss: false,
    wrongAud: false,
    missingAud: false,
    missingSub: false,
    emptySub: false,
    wrongNonce: false,
    missingNonce: false,
    expired: false,
    missingExp: false,
    futureIat: false,
    missingIat: false,
    badSignature: false,
    algNone: false,
    hs256: false,
    wrongAzp: false,
    unknownKid: false,
    noIdToken: false,
    noAccessToken: false,
    tokenError: null,
    tokenFields: null,
    idTokenClaims: null,
    idTokenSignature: null,
    userinfoWrongSub: false,
    userinfo: null,
    userinfoStatus: null,
    discoveryIssuerMismatch: false,
    discoveryStatus: null,
    metadata: null,
    jwksStatus: null,
    keySet: null,
    callbackIssWrong: false,
    callbackIssMissing: false,
    callbackError: null,
    callback: null,
    unreachable: false,
    respond: null,
    answer: null
  }
}
