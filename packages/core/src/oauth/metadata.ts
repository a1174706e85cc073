import * as oauth from 'oauth4webapi'
import type { OAuthProvider } from '../model/provider.ts'

/** An authorization server as it describes itself, or as the provider's configuration does (RFC 8414 §2). */
export type Metadata = oauth.AuthorizationServer

/** How long a document is kept. Seconds. */
export interface MetadataTimes {
  readonly maxAge: number
  readonly staleIfError: number
  readonly throttle: number
}

interface Entry {
  readonly metadata: Metadata
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

/** The issuer that a document must name: the configured one, else the address it stands under. */
function expectedIssuer({ issuer, wellKnown }: OAuthProvider): URL | null {
  const address = issuer ?? wellKnown?.replace(suffix, '')
  return address && URL.canParse(address) ? new URL(address) : null
}

/**
 * The metadata of every provider, fetched once in a while.
 *
 * One request at a time for each provider; an old document stands in, for a bounded time, while the server does not
 * answer, and the server is not asked again in every request meanwhile.
 */
export class MetadataCache {
  readonly #entries = new Map<string, Entry>()
  readonly #inFlight = new Map<string, Promise<Metadata>>()
  readonly #times: MetadataTimes
  readonly #now: () => number

  constructor(times: MetadataTimes, now: () => number) {
    this.#times = times
    this.#now = now
  }

  /** @param load - GETs the metadata document. */
  async of(provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Metadata> {
    const { wellKnown, issuer } = provider
    if (!wellKnown) return withEndpoints({ issuer: issuer ?? unknownIssuer }, provider)
    const entry = this.#entries.get(wellKnown)
    const seconds = this.#now() / 1000
    const age = entry ? seconds - entry.fetchedAt : Number.POSITIVE_INFINITY
    if (entry && age < this.#times.maxAge) return withEndpoints(entry.metadata, provider)
    const standIn = entry && age < this.#times.maxAge + this.#times.staleIfError ? entry : null
    if (standIn && seconds - standIn.triedAt < this.#times.throttle) return withEndpoints(standIn.metadata, provider)
    if (standIn) standIn.triedAt = seconds
    try {
      return withEndpoints(await this.#fetch(wellKnown, provider, load), provider)
    } catch (error) {
      if (standIn) return withEndpoints(standIn.metadata, provider)
      throw error
    }
  }

  #fetch(wellKnown: string, provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Metadata> {
    const running = this.#inFlight.get(wellKnown)
    if (running) return running
    const fetching = this.#load(wellKnown, provider, load).finally(() => this.#inFlight.delete(wellKnown))
    this.#inFlight.set(wellKnown, fetching)
    return fetching
  }

  async #load(wellKnown: string, provider: OAuthProvider, load: (url: string) => Promise<Response>): Promise<Metadata> {
    const issuer = expectedIssuer(provider)
    if (!issuer) throw new TypeError(`${provider.id}: expected an issuer to compare the metadata document with`)
    const metadata = await oauth.processDiscoveryResponse(issuer, await load(wellKnown))
    const seconds = this.#now() / 1000
    this.#entries.set(wellKnown, { metadata, fetchedAt: seconds, triedAt: seconds })
    return metadata
  }
}
