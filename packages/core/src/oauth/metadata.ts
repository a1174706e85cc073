import type { AuthorizationServer } from 'oauth4webapi'
import { call } from '../http/outbound.ts'
import { checkJson } from '../http/read-response.ts'
import { isIssuer, issuerOfMetadata } from '../model/issuer.ts'
import { isObject } from '../model/json-object.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { weakMemoize } from '../model/weak-memoize.ts'
import { type CacheTimes, DocumentCache } from '../tokens/document-cache.ts'
import type { OAuthContext } from './context.ts'
import { describeStatus } from './server-error.ts'

/** Authorization server metadata (RFC 8414 §2), published or configured. */
export type Metadata = AuthorizationServer

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

/** Caches the metadata of every provider. */
export class MetadataCache {
  readonly #cache: DocumentCache<OAuthProvider, Metadata>
  readonly #undiscovered = new WeakMap<OAuthProvider, Metadata>()

  constructor(times: CacheTimes, now: () => number) {
    this.#cache = new DocumentCache(times, now)
  }

  /** @param load - Fetches the metadata document. */
  async of(provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Metadata> {
    const { wellKnown } = provider
    if (!wellKnown) return this.#configured(provider)
    return this.#cache.get(provider, () => loadDocument(provider, () => load(wellKnown)))
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
    return this.#cache.ahead(provider, () => loadDocument(provider, () => load(wellKnown)))
  }
}

/** @throws TypeError if the document is not that of the provider, or invalid: it is not cached, and replaces no valid one. */
async function loadDocument(provider: OAuthProvider, load: () => Promise<Response>): Promise<Metadata> {
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
  checkEndpoints(published, provider)
  const metadata = withCheckedEndpoints(published, provider)
  checkComplete(metadata, provider)
  return metadata
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
