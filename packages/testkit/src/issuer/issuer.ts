import { type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose'
import type { Now } from '../clock.ts'
import { answerAuthorization } from './authorization-endpoint.ts'
import { type Faults, noFaults } from './faults.ts'
import { type Algorithm, signingKey, toKeySet } from './keys.ts'
import { type IssuerMetadata, metadataOf } from './metadata.ts'
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
  /** `null` makes a public client. @defaultValue 'secret' */
  readonly clientSecret?: string | null
  /** @defaultValue any address is taken */
  readonly redirectUris?: readonly string[]
  /** How ID Tokens are signed. @defaultValue 'ES256' */
  readonly alg?: Algorithm
  /** @defaultValue the machine's clock */
  readonly clock?: Now
  /** Who signs in where `authorize` is told nobody. @defaultValue Ada Lovelace */
  readonly person?: Person
  /** Whether the ID Token carries what the scopes cover, as well as userinfo does. @defaultValue true */
  readonly claimsInIdToken?: boolean
  /** Whether requests without the scope `openid`, or without PKCE, are taken. @defaultValue false */
  readonly plainOAuth?: boolean
  /** Whether tokens come with a refresh token, a new one each time. @defaultValue false */
  readonly refreshTokens?: boolean
}

/** An OpenID Provider that lives behind `fetch`: no port, no network. */
export interface Issuer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  /** Discovery, key set, token endpoint and userinfo. Any other origin fails as an unknown host does. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /**
   * Plays the visitor who is sent to the issuer and signs in there.
   *
   * @returns The callback address with `code`, `state` and `iss` (or the error that is switched on).
   * @throws If the authorization request is not one that a strict issuer would take.
   */
  readonly authorize: (authorizationUrl: string, as?: Person) => Promise<string>
  /** The metadata without faults. */
  readonly metadata: IssuerMetadata
  /** The key set as it is now, without faults. */
  readonly jwks: JSONWebKeySet
  /** Signs with a new key from now on; the old one leaves the key set. */
  readonly rotateKeys: () => void
  /** Every request that came through `fetch`, oldest first. */
  readonly requests: readonly IssuerRequest[]
  readonly faults: Faults
  /** Signs claims of any kind with the issuer's key; the header's members may be replaced. */
  readonly sign: (claims: JWTPayload, header?: Readonly<Record<string, unknown>>) => Promise<string>
  /** Ends every fault. */
  readonly behave: () => void
}

/** Makes an OpenID Provider for tests: honest, strict, and wrong on demand. */
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
    metadata: metadataOf(state),
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
      return answer(state, request)
    },
    authorize: async (authorizationUrl, as = person) => answerAuthorization(state, authorizationUrl, as)
  }
}

type Answer = (state: State, request: IssuerRequest) => Response | Promise<Response>

/** The browser of a visitor who signs in without being asked. */
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

async function answer(state: State, request: IssuerRequest): Promise<Response> {
  const { issuer, faults } = state
  const answered = await faults.respond?.(request)
  if (answered) return answered
  const { href } = new URL(request.url)
  if (faults.unreachable || !href.startsWith(`${issuer}/`)) throw new TypeError('fetch failed')
  const path = href.slice(issuer.length).replace(/[?#].*$/, '')
  const endpoint = endpoints[`${request.method} ${path}`]
  const response = endpoint ? await endpoint(state, request) : new Response('not found', { status: 404 })
  return faults.answer ? faults.answer(response, request) : response
}

function answerDiscovery(state: State): Response {
  const { faults } = state
  const { discoveryStatus, discoveryIssuerMismatch } = faults
  if (discoveryStatus !== null) return new Response('', { status: discoveryStatus })
  const metadata = metadataOf(state)
  if (faults.metadata) return Response.json(faults.metadata(metadata))
  return Response.json(discoveryIssuerMismatch ? { ...metadata, issuer: 'https://another-issuer.test' } : metadata)
}

function answerKeySet({ key, faults }: State): Response {
  if (faults.jwksStatus !== null) return new Response('', { status: faults.jwksStatus })
  const keys = toKeySet(key)
  return Response.json(faults.keySet ? faults.keySet(keys) : keys)
}
