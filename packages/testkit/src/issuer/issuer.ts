import { type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose'
import type { Now } from '../clock.ts'
import { answerAuthorization } from './authorization-endpoint.ts'
import { type Faults, noFaults } from './faults.ts'
import { type Algorithm, signingKey, toKeySet } from './keys.ts'
import { getMetadata, type IssuerMetadata } from './metadata.ts'
import { ada, type Person } from './person.ts'
import { type IssuerRequest, readRequest } from './request.ts'
import type { State } from './state.ts'
import { answerRevocation, answerToken } from './token-endpoint.ts'
import { answerUserinfo } from './userinfo-endpoint.ts'

export interface IssuerOptions {
  /** Without a trailing slash. @defaultValue 'https://issuer.test' */
  readonly issuer?: string
  /** @defaultValue 'client' */
  readonly clientId?: string
  /** `null` for a public client. @defaultValue 'secret' */
  readonly clientSecret?: string | null
  /** @defaultValue any URI is accepted */
  readonly redirectUris?: readonly string[]
  /** The algorithm of ID Tokens. @defaultValue 'ES256' */
  readonly alg?: Algorithm
  /** @defaultValue the system clock */
  readonly clock?: Now
  /** The user if `authorize` is called without one. @defaultValue Ada Lovelace */
  readonly person?: Person
  /** Whether the ID Token contains the claims of the scopes, in addition to userinfo. @defaultValue true */
  readonly claimsInIdToken?: boolean
  /** Whether requests without the scope `openid`, or without PKCE, are accepted. @defaultValue false */
  readonly plainOAuth?: boolean
  /** Whether token responses contain a refresh token, which is rotated. @defaultValue false */
  readonly refreshTokens?: boolean
}

/** An OpenID Provider behind `fetch`: no port, no network. */
export interface Issuer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  /** Handles discovery, key set, token endpoint and userinfo. Any other origin fails like an unknown host. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /**
   * Simulates a user who is redirected to the issuer and signs in.
   *
   * @returns The callback URL with `code`, `state` and `iss` (or the enabled error).
   * @throws If a strict issuer would reject the authorization request.
   */
  readonly authorize: (authorizationUrl: string, as?: Person) => Promise<string>
  /** The metadata without faults. */
  readonly metadata: IssuerMetadata
  /** The current key set without faults. */
  readonly jwks: JSONWebKeySet
  /** Replaces the signing key; the old one leaves the key set. */
  readonly rotateKeys: () => void
  /** Every request to `fetch`, oldest first. */
  readonly requests: readonly IssuerRequest[]
  readonly faults: Faults
  /** Signs any claims with the issuer's key; members of the header may be replaced. */
  readonly sign: (claims: JWTPayload, header?: Readonly<Record<string, unknown>>) => Promise<string>
  /** Disables every fault. */
  readonly behave: () => void
}

/** Creates an OpenID Provider for tests: correct and strict, with faults on demand. */
export function createIssuer(options: IssuerOptions = {}): Issuer {
  const { issuer = 'https://issuer.test', clientId = 'client', clientSecret = 'secret', clock = Date } = options
  const { alg = 'ES256', person = ada } = options
  const requests: IssuerRequest[] = []
  let generation = 1
  const state: State = {
    issuer,
    client: { id: clientId, secret: clientSecret, redirectUris: options.redirectUris ?? null },
    alg,
    now: () => Math.floor(clock.now() / 1000),
    faults: noFaults(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    hasClaimsInIdToken: options.claimsInIdToken ?? true,
    isPlainOAuthAllowed: options.plainOAuth ?? false,
    hasRefreshTokens: options.refreshTokens ?? false,
    key: signingKey(alg, generation),
    person
  }
  return {
    issuer,
    clientId,
    clientSecret,
    metadata: getMetadata(state),
    requests,
    faults: state.faults,
    sign: async (claims, header = {}) => {
      const { kid, privateKey } = state.key
      return new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey)
    },
    behave: () => void Object.assign(state.faults, noFaults()),
    get jwks() {
      return toKeySet(state.key)
    },
    rotateKeys: () => {
      generation += 1
      state.key = signingKey(alg, generation)
    },
    fetch: async (url, init = {}) => {
      init.signal?.throwIfAborted()
      const request = await readRequest(url, init)
      requests.push(request)
      return result(state, request)
    },
    authorize: async (authorizationUrl, as = person) => answerAuthorization(state, authorizationUrl, as)
  }
}

type Answer = (state: State, request: IssuerRequest) => Response | Promise<Response>

/** Simulates a user who signs in without a prompt. */
function sendBack(state: State, { url }: IssuerRequest): Response {
  const location = answerAuthorization(state, url, state.person)
  return new Response(null, { status: 302, headers: { location } })
}

const endpoints: Readonly<Record<string, Answer>> = {
  'GET /authorize': sendBack,
  'GET /.well-known/openid-configuration': answerDiscovery,
  'GET /jwks': answerKeySet,
  'POST /token': answerToken,
  'POST /revoke': answerRevocation,
  'GET /userinfo': answerUserinfo,
  'POST /userinfo': answerUserinfo
}

async function result(state: State, request: IssuerRequest): Promise<Response> {
  const { issuer, faults } = state
  const answered = await faults.respond?.(request)
  if (answered) return answered
  const { href } = new URL(request.url)
  if (faults.unreachable || !href.startsWith(`${issuer}/`)) throw new TypeError('fetch failed')
  const path = href.slice(issuer.length).replace(/[?#].*$/, '')
  const endpoint = endpoints[`${request.method} ${path}`]
  const response = endpoint ? await endpoint(state, request) : new Response('not found', { status: 404 })
  return faults.result ? faults.result(response, request) : response
}

function answerDiscovery(state: State): Response {
  const { faults } = state
  const { discoveryStatus, discoveryIssuerMismatch } = faults
  if (discoveryStatus !== null) return new Response('', { status: discoveryStatus })
  const metadata = getMetadata(state)
  if (faults.metadata) return Response.json(faults.metadata(metadata))
  return Response.json(discoveryIssuerMismatch ? { ...metadata, issuer: 'https://another-issuer.test' } : metadata)
}

function answerKeySet({ key, faults }: State): Response {
  if (faults.jwksStatus !== null) return new Response('', { status: faults.jwksStatus })
  const keys = toKeySet(key)
  return Response.json(faults.keySet ? faults.keySet(keys) : keys)
}
