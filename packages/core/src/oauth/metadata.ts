import type { AuthorizationServer } from 'oauth4webapi'
import { checkJson } from '../http/read-response.ts'
import { call } from '../http/outbound.ts'
import { isIssuer } from '../model/issuer.ts'
import { madeFor } from '../model/made-for.ts'
import type { OAuthProvider } from '../model/provider.ts'
import { isRecent } from '../tokens/recent.ts'
import type { OAuthTools } from './context.ts'

/** An authorization server as it describes itself, or as the provider's configuration does (RFC 8414 §2). */
export type Metadata = AuthorizationServer

/** How long a document is kept, in seconds, and how many are. */
export interface MetadataTimes {
  readonly maxAge: number
  readonly staleIfError: number
  readonly throttle: number
  readonly mostIssuers: number
}

/** What is told of a server, as each provider's configuration has it: put together and looked over once. */
type Completed = WeakMap<OAuthProvider, Metadata>

interface Entry {
  readonly metadata: Metadata
  readonly completed: Completed
  readonly fetchedAt: number
  triedAt: number
}

/** Stands in where the issuer of a provider is not known; no answer can match it. */
export const unknownIssuer = 'https://issuer.invalid'

/** The configuration wins over the document; what it leaves out comes from there. */
function withEndpoints(metadata: Metadata, { authorization, token, userinfo, jwksUri }: OAuthProvider): Metadata {
  return {
    ...metadata,
    ...(authorization.url ? { authorization_endpoint: authorization.url } : {}),
    ...(token.url ? { token_endpoint: token.url } : {}),
    ...(userinfo.url ? { userinfo_endpoint: userinfo.url } : {}),
    ...(jwksUri ? { jwks_uri: jwksUri } : {})
  }
}

const suffix = /\/\.well-known\/(openid-configuration|oauth-authorization-server)(\?.*)?$/

/**
 * The issuer that a document may name: the configured one, or the one that its configured address belongs to; where no
 * issuer is configured, also another of that server (some have several names for one tenant).
 */
function checkedIssuer({ id, issuer, wellKnown, hooks }: OAuthProvider, document: unknown): URL {
  const named = typeof document === 'object' && document !== null && 'issuer' in document ? document.issuer : null
  const found = typeof named === 'string' && URL.canParse(named) ? new URL(named) : null
  const ofAddress = wellKnown?.replace(suffix, '') ?? ''
  const expected = issuer ?? ofAddress
  const mayDiffer = issuer === null || hooks.discoveryResponse !== undefined
  const isOfServer = mayDiffer && found !== null && URL.canParse(expected) && found.origin === new URL(expected).origin
  if (found && (isOfServer || isIssuer(found.href, expected) || isIssuer(found.href, ofAddress))) return found
  if (!URL.canParse(expected)) throw new TypeError(`${id}: expected an issuer to compare the metadata document with`)
  return new URL(expected)
}

/** @throws TypeError an endpoint that this provider may not be called at. */
function complete({ metadata, completed }: Pick<Entry, 'metadata' | 'completed'>, provider: OAuthProvider): Metadata {
  const known = completed.get(provider)
  if (known) return known
  const made = withEndpoints(metadata, provider)
  checkAddresses(made, provider)
  completed.set(provider, made)
  return made
}

const addresses = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const

/** @throws TypeError an endpoint that is no address, or not one that this provider may be called at. */
function checkAddresses(metadata: Metadata, { allowInsecureRequests }: OAuthProvider): void {
  for (const name of addresses) {
    const address = metadata[name]
    if (address === undefined) continue
    const protocol = URL.canParse(address) ? new URL(address).protocol : 'none'
    if (protocol !== 'https:' && !(protocol === 'http:' && allowInsecureRequests))
      throw new TypeError(`expected ${name} to be an https address`)
  }
}

/**
 * The metadata of every provider, fetched once in a while.
 *
 * One request at a time for each provider; an old document stands in, for a bounded time, while the server does not
 * answer, and the server is not asked again in every request meanwhile. A bounded number of documents is kept.
 */
export class MetadataCache {
  readonly #entries = new Map<string, Entry>()
  readonly #inFlight = new Map<string, Promise<Entry>>()
  readonly #undiscovered: Completed = new WeakMap()
  readonly #times: MetadataTimes
  readonly #now: () => number

  constructor(times: MetadataTimes, now: () => number) {
    this.#times = times
    this.#now = now
  }

  /** @param load - GETs the metadata document. */
  async of(provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Metadata> {
    const { wellKnown, issuer } = provider
    if (!wellKnown)
      return complete({ metadata: { issuer: issuer ?? unknownIssuer }, completed: this.#undiscovered }, provider)
    const entry = this.#entries.get(wellKnown)
    const seconds = this.#now() / 1000
    const { maxAge, staleIfError, throttle } = this.#times
    if (entry && isRecent(seconds, entry.fetchedAt, maxAge)) return complete(entry, provider)
    const standIn = entry && seconds - entry.fetchedAt < maxAge + staleIfError ? entry : null
    if (standIn && isRecent(seconds, standIn.triedAt, throttle)) return complete(standIn, provider)
    if (standIn) standIn.triedAt = seconds
    try {
      return complete(await this.#fetch(wellKnown, provider, load), provider)
    } catch (error) {
      if (standIn) return complete(standIn, provider)
      throw error
    }
  }

  #fetch(wellKnown: string, provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Entry> {
    const running = this.#inFlight.get(wellKnown)
    if (running) return running
    const fetching = this.#load(wellKnown, provider, load).finally(() => this.#inFlight.delete(wellKnown))
    this.#inFlight.set(wellKnown, fetching)
    return fetching
  }

  async #load(wellKnown: string, provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Entry> {
    const { discoveryResponse } = provider.hooks
    const received = await load(wellKnown)
    const response = discoveryResponse ? await discoveryResponse(received, provider) : received
    checkJson(response)
    const document: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    const { processDiscoveryResponse } = await import('oauth4webapi')
    const metadata = await processDiscoveryResponse(checkedIssuer(provider, document), response)
    // A document that cannot be used is not kept: the next sign-in asks whether it was mended.
    checkAddresses(metadata, provider)
    const seconds = this.#now() / 1000
    const entry = { metadata, completed: new WeakMap(), fetchedAt: seconds, triedAt: seconds }
    this.#keep(wellKnown, entry)
    return entry
  }

  /** The one that was fetched longest ago gives way. */
  #keep(wellKnown: string, entry: Entry): void {
    this.#entries.delete(wellKnown)
    this.#entries.set(wellKnown, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#times.mostIssuers && oldest !== undefined) this.#entries.delete(oldest)
  }
}

/** One for each Postern, made when it is first asked: a start does without it. */
const cacheOf = madeFor((tools: OAuthTools) => new MetadataCache(tools.metadataTimes, tools.runtime.now))

/** @returns The provider's metadata, from the cache or from its server. */
export async function loadMetadata(provider: OAuthProvider, tools: OAuthTools): Promise<Metadata> {
  const init = { method: 'GET', headers: { accept: 'application/json' } }
  return cacheOf(tools).of(provider, (url) => call(provider, tools, url, init))
}
