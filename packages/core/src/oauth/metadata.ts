import type { AuthorizationServer } from 'oauth4webapi'
import { call } from '../http/outbound.ts'
import { checkJson } from '../http/read-response.ts'
import { isIssuer, issuerOfMetadata } from '../model/issuer.ts'
import { isObject } from '../model/json-object.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { weakMemoize } from '../model/weak-memoize.ts'
import { isFresh } from '../tokens/is-fresh.ts'
import { RecentFailures } from '../tokens/recent-failures.ts'
import type { MetadataTimes, OAuthContext } from './context.ts'
import { describeStatus } from './server-error.ts'

/** Authorization server metadata (RFC 8414 §2), published or configured. */
export type Metadata = AuthorizationServer

interface Entry {
  readonly metadata: Metadata
  readonly fetchedAt: number
  triedAt: number
}

/** The placeholder for an unknown issuer, which no response matches. */
export const unknownIssuer = 'https://issuer.invalid'

/**
 * Validates the issuer in a metadata document (RFC 8414 §3.3, OpenID Connect Discovery §4.3): the configured one, or the one that the metadata URL belongs to. Without
 * a configured issuer, any issuer on that server is accepted, because some servers have several names for one tenant.
 */
function checkedIssuer({ id, issuer, wellKnown, hooks }: OAuthProvider, document: unknown): URL {
  const named = isObject(document) ? document['issuer'] : null
  const found = typeof named === 'string' && URL.canParse(named) ? new URL(named) : null
  const ofAddress = wellKnown === null ? '' : issuerOfMetadata(wellKnown)
  const expected = issuer ?? ofAddress
  const mayDiffer = issuer === null || hooks.discoveryResponse !== undefined
  const isOfServer = mayDiffer && found !== null && URL.canParse(expected) && found.origin === new URL(expected).origin
  if (found && (isOfServer || isIssuer(found.href, expected) || isIssuer(found.href, ofAddress))) return found
  if (!URL.canParse(expected)) throw new TypeError(`${id}: expected an issuer to compare the metadata document with`)
  if (found && found.href !== new URL(expected).href)
    throw new TypeError(`expected the issuer ${expected}, got ${JSON.stringify(found.href.slice(0, 200))}`)
  return new URL(expected)
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const

type EndpointName = (typeof endpoints)[number]

/** The endpoints that a sign-in with this provider calls, except those that its own request functions replace. */
function requiredEndpoints({
  token,
  userinfo,
  idToken,
  profileFromUserinfo,
  keys,
  client: { id_token_signed_response_alg }
}: OAuthProvider): readonly EndpointName[] {
  const isSharedSecret = id_token_signed_response_alg?.startsWith('HS') ?? false
  const isRequired: Readonly<Record<EndpointName, boolean>> = {
    authorization_endpoint: true,
    token_endpoint: token.request === null,
    userinfo_endpoint: userinfo.request === null && (profileFromUserinfo || !idToken),
    jwks_uri: idToken && keys === null && !isSharedSecret
  }
  return endpoints.filter((name) => isRequired[name])
}

/** @throws TypeError if an endpoint is not a URL, or not allowed for this provider (RFC 6749 §3.1 and §3.2: TLS). */
function checkEndpoints(metadata: Metadata, { allowInsecureRequests }: OAuthProvider): void {
  for (const name of endpoints) {
    const address: unknown = metadata[name]
    if (address === undefined) continue
    const protocol = typeof address === 'string' && URL.canParse(address) ? new URL(address).protocol : 'none'
    if (protocol !== 'https:' && !(protocol === 'http:' && allowInsecureRequests))
      throw new TypeError(`expected ${name} to be an https address`)
  }
}

/** @throws TypeError if an endpoint is missing in both the metadata document and the provider's configuration. */
function checkComplete(metadata: Metadata, provider: OAuthProvider): void {
  const missing = requiredEndpoints(provider).filter((name) => metadata[name] === undefined)
  if (missing.length > 0) throw new TypeError(`expected the metadata document to have ${missing.join(' and ')}`)
}

/** Merges the configuration over the published metadata. @throws TypeError if an endpoint is not allowed for this provider. */
function withCheckedEndpoints(metadata: Metadata, provider: OAuthProvider): Metadata {
  const { authorization, token, userinfo, jwksUri } = provider
  const all = {
    ...metadata,
    ...(authorization.url ? { authorization_endpoint: authorization.url } : {}),
    ...(token.url ? { token_endpoint: token.url } : {}),
    ...(userinfo.url ? { userinfo_endpoint: userinfo.url } : {}),
    ...(jwksUri ? { jwks_uri: jwksUri } : {})
  }
  checkEndpoints(all, provider)
  return all
}

/**
 * Caches the metadata of every provider.
 *
 * Each provider has at most one request in flight. An expired document is used for a limited time while the server does
 * not respond or its document is incomplete; the server is not called on every request meanwhile. Without a cached
 * document, a failure is cached for a few seconds. The number of documents is limited.
 */
export class MetadataCache {
  readonly #entries = new Map<OAuthProvider, Entry>()
  readonly #inFlight = new Map<OAuthProvider, Promise<Entry>>()
  readonly #failures: RecentFailures<OAuthProvider>
  readonly #undiscovered = new WeakMap<OAuthProvider, Metadata>()
  readonly #times: MetadataTimes
  readonly #now: () => number

  constructor(times: MetadataTimes, now: () => number) {
    this.#times = times
    this.#now = now
    this.#failures = new RecentFailures(times.retryAfter, times.maxIssuers, now)
  }

  /** @param load - Fetches the metadata document. */
  async of(provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Metadata> {
    const { wellKnown } = provider
    if (!wellKnown) return this.#configured(provider)
    const entry = this.#entries.get(provider)
    const seconds = this.#now() / 1000
    const { maxAge, staleIfError, throttle } = this.#times
    if (entry && isFresh(seconds, entry.fetchedAt, maxAge)) return entry.metadata
    const standIn = entry && seconds - entry.fetchedAt < maxAge + staleIfError ? entry : null
    if (standIn && isFresh(seconds, standIn.triedAt, throttle)) return standIn.metadata
    if (standIn) standIn.triedAt = seconds
    try {
      return (await this.#fetch(provider, () => load(wellKnown))).metadata
    } catch (error) {
      if (standIn) return standIn.metadata
      throw error
    }
  }

  /** The metadata of a provider without a document, which is complete in the configuration. */
  #configured(provider: OAuthProvider): Metadata {
    const known = this.#undiscovered.get(provider)
    if (known) return known
    const metadata = withCheckedEndpoints({ issuer: provider.issuer ?? unknownIssuer }, provider)
    this.#undiscovered.set(provider, metadata)
    return metadata
  }

  /** Fetches a document before it is needed. A failure is not cached: the next sign-in has to try again. */
  async ahead(provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Metadata> {
    const { wellKnown } = provider
    if (!wellKnown) return this.#configured(provider)
    const entry =
      this.#entries.get(provider) ?? (await this.#share(provider, () => this.#load(provider, () => load(wellKnown))))
    return entry.metadata
  }

  async #fetch(provider: OAuthProvider, load: () => Promise<Response>): Promise<Entry> {
    if (!this.#inFlight.has(provider)) this.#failures.throwIfRecent(provider)
    return this.#share(provider, () => this.#failures.watch(provider, () => this.#load(provider, load)))
  }

  /** Fetches a document, or waits for the request that is in flight. */
  #share(provider: OAuthProvider, fetchEntry: () => Promise<Entry>): Promise<Entry> {
    const running = this.#inFlight.get(provider)
    if (running) return running
    const fetching = fetchEntry().finally(() => this.#inFlight.delete(provider))
    this.#inFlight.set(provider, fetching)
    return fetching
  }

  async #load(provider: OAuthProvider, load: () => Promise<Response>): Promise<Entry> {
    const { discoveryResponse } = provider.hooks
    const received = await load()
    const response = discoveryResponse ? await discoveryResponse(received, provider) : received
    // RFC 8414 §3.2.
    if (response.status !== 200) throw new TypeError(await describeStatus(response))
    checkJson(response)
    const document: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    const { processDiscoveryResponse } = await import('oauth4webapi')
    const published = await processDiscoveryResponse(checkedIssuer(provider, document), response)
    // An invalid document is not cached, and does not replace a valid one.
    checkEndpoints(published, provider)
    const metadata = withCheckedEndpoints(published, provider)
    checkComplete(metadata, provider)
    const seconds = this.#now() / 1000
    const entry = { metadata, fetchedAt: seconds, triedAt: seconds }
    this.#keep(provider, entry)
    return entry
  }

  /** Evicts the document that was fetched the longest time ago. */
  #keep(provider: OAuthProvider, entry: Entry): void {
    this.#entries.delete(provider)
    this.#entries.set(provider, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#times.maxIssuers && oldest !== undefined) this.#entries.delete(oldest)
  }
}

/** One cache per instance, created on first use, which keeps startup fast. */
const getMetadataCache = weakMemoize(
  (oauthContext: OAuthContext) => new MetadataCache(oauthContext.metadataTimes, oauthContext.runtime.now)
)

const loadFrom =
  (provider: OAuthProvider, oauthContext: OAuthContext) =>
  (url: string): Promise<Response> =>
    call(provider, oauthContext, url, { method: 'GET', headers: { accept: 'application/json' } })

/** @returns The provider's metadata, from the cache or from its server. */
export function loadMetadata(provider: OAuthProvider, oauthContext: OAuthContext): Promise<Metadata> {
  return getMetadataCache(oauthContext).of(provider, loadFrom(provider, oauthContext))
}

/** The same before the metadata is needed: a failure leaves the next sign-in as it is. */
export function loadMetadataAhead(provider: OAuthProvider, oauthContext: OAuthContext): Promise<Metadata> {
  return getMetadataCache(oauthContext).ahead(provider, loadFrom(provider, oauthContext))
}

/** @returns Why a sign-in with a provider that publishes this metadata cannot succeed; `null` if nothing is known. */
export function findUnsupported(id: string, metadata: Metadata): string | null {
  // The server would refuse the request (RFC 9126 §5), and say so only after the user has come back.
  if (metadata['require_pushed_authorization_requests'] !== true) return null
  return `${id}: the provider requires pushed authorization requests (RFC 9126), which Postern does not support; turn off require_pushed_authorization_requests there`
}
