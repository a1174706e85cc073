import { AuthError, type FeatureRequest } from '@postern/core/feature'

/** The domain that passkeys belong to, and the origins at which they may be used. */
export interface RelyingParty {
  readonly id: string
  readonly origins: readonly string[]
}

/** The options for the domain of the passkeys. */
export interface RelyingPartyOptions {
  readonly rpId: string | null
  readonly relatedOrigins: readonly string[]
  readonly appOrigins: readonly string[]
}

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** Whether a host is the domain or below it. @see Web Authentication Level 3 §5.1.3, step 8 */
const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** Labels of a domain; an IP address has no domain. */
function isDomain(text: string): boolean {
  const isName = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/.test(text)
  return isName && !/(^|\.)\d+$/.test(text) && (isLocal(text) || text.includes('.'))
}

/** The origin of an Android app: the hash of its certificate. */
const appOrigin = /^android:apk-key-hash:[\w-]{43}$/

function parseOrigin(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && url.origin === text ? url : null
}

/** @returns Why passkeys cannot work at an origin, or `null`. */
function findOriginProblem(origin: string, { rpId, relatedOrigins }: RelyingPartyOptions): string | null {
  const { protocol, hostname } = new URL(origin)
  if (protocol !== 'https:' && !isLocal(hostname))
    return `expected https: browsers allow passkeys at http://localhost, and not at ${origin}`
  if (rpId === null && !isDomain(hostname))
    return `expected the host of ${origin} to be a domain: passkeys belong to a domain; use localhost`
  if (rpId === null || isWithin(hostname, rpId) || relatedOrigins.includes(origin)) return null
  return `expected rpId to be the host of ${origin} or a domain above it, got ${rpId}; or list the origin in relatedOrigins`
}

/**
 * Checks the domain and the origins at registration.
 *
 * @param origin - The origin of the application; `null` if requests decide.
 */
export function findRelyingPartyProblems(origin: string | null, options: RelyingPartyOptions): readonly string[] {
  const { rpId, relatedOrigins, appOrigins } = options
  const isUsable = (url: URL | null): boolean => url !== null && (url.protocol === 'https:' || isLocal(url.hostname))
  const unusable = relatedOrigins
    .filter((origin) => !isUsable(parseOrigin(origin)))
    .map((origin) => `relatedOrigins: expected an origin like https://example.de, got ${origin}`)
  const unknown = appOrigins
    .filter((origin) => !appOrigin.test(origin))
    .map((origin) => `appOrigins: expected android:apk-key-hash: and 43 characters in base64url, got ${origin}`)
  const related = [...unusable, ...unknown]
  if (rpId === null && relatedOrigins.length > 0)
    return [...related, 'rpId: expected it with relatedOrigins, got nothing']
  if (rpId !== null && !isDomain(rpId)) return [...related, `rpId: expected a domain like example.com, got ${rpId}`]
  const problem = origin === null ? null : findOriginProblem(origin, options)
  return problem === null ? related : [...related, problem]
}

/**
 * The domain and the origins of a request, by the configuration.
 *
 * @throws AuthError `Configuration` if passkeys cannot work at the origin of the request
 */
export function getRelyingParty({ origin }: FeatureRequest, options: RelyingPartyOptions): RelyingParty {
  const problem = findOriginProblem(origin, options)
  if (problem !== null) throw new AuthError('Configuration', `features.passkey: ${problem}`)
  return {
    id: options.rpId ?? new URL(origin).hostname,
    origins: [origin, ...options.relatedOrigins, ...options.appOrigins]
  }
}
