import type { JSONWebKeySet, JWTPayload } from 'jose'
import type { SigningKey } from './keys.ts'
import type { IssuerMetadata } from './metadata.ts'
import type { Person } from './person.ts'
import type { IssuerRequest } from './request.ts'

/** The faults of the issuer. They can be combined, and changed at any time. */
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
  /** The ID Token expired 20 s ago: beyond a tolerance of 10 s, but within the 30 s that libraries allow. */
  expired: boolean
  missingExp: boolean
  /** The ID Token was issued an hour from now. */
  futureIat: boolean
  missingIat: boolean
  /** The signature of the ID Token has the right length but is invalid. */
  badSignature: boolean
  /** The ID Token is unsigned, with `alg: none`. */
  algNone: boolean
  /** The ID Token is signed with the client secret. */
  hs256: boolean
  /** The ID Token was issued to another client, and has both as audience. */
  wrongAzp: boolean
  /** The ID Token names a key that is not in the key set. */
  unknownKid: boolean
  /** The token response contains no ID Token. */
  noIdToken: boolean
  /** The token response contains no access token. */
  noAccessToken: boolean
  /** Replaces the response of the token endpoint; a body that is not a string is sent as JSON. */
  tokenError: { readonly status: number; readonly body: unknown } | null
  /** Adds or replaces fields of the token response. */
  tokenFields: Readonly<Record<string, unknown>> | null
  /** Replaces the claims of the ID Token. */
  idTokenClaims: ((claims: JWTPayload) => JWTPayload) | null
  /** Replaces the signing of the ID Token. */
  idTokenSignature: ((claims: JWTPayload, key: SigningKey) => string | Promise<string>) | null
  userinfoWrongSub: boolean
  /** Replaces the userinfo response. */
  userinfo: ((claims: Person, key: SigningKey) => Response | Promise<Response>) | null
  /** Replaces the status of the userinfo response. */
  userinfoStatus: number | null
  /** The metadata names another issuer. */
  discoveryIssuerMismatch: boolean
  discoveryStatus: number | null
  /** Replaces the metadata. */
  metadata: ((metadata: IssuerMetadata) => unknown) | null
  jwksStatus: number | null
  /** Replaces the key set. */
  keySet: ((keys: JSONWebKeySet) => unknown) | null
  /** The callback names another issuer (RFC 9207). */
  callbackIssWrong: boolean
  /** The callback names no issuer, although the metadata promises it. */
  callbackIssMissing: boolean
  /** The callback contains this error and no code: `access_denied` is a user who canceled. */
  callbackError: string | null
  /** Changes the callback URL. */
  callback: ((url: URL) => void) | null
  /** Every call fails with a connection error. */
  unreachable: boolean
  /** Replaces the response to a request; `null` keeps the normal one. */
  respond: ((request: IssuerRequest) => Response | Promise<Response> | null) | null
  /** Replaces any response. */
  result: ((response: Response, request: IssuerRequest) => Response | Promise<Response>) | null
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
    result: null
  }
}
