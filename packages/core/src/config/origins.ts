import type { Problem } from '../errors/config-error.ts'
import { checkShape } from '../schema/schema.ts'
import type { Sites } from './config.ts'
import type { PosternOptions } from './options.ts'
import { optionsShape } from './options-schema.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The origins of the application, and the path of its URL. */
export interface SiteAddress {
  readonly sites: Sites
  /** The path of the URL, or `null` if it has none. */
  readonly path: string | null
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

function toSiteAddress(sites: Sites, more: Partial<SiteAddress> = {}): SiteAddress {
  return { sites, path: null, problems: [], warnings: [], ...more }
}

const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

/** next-auth v4 assumes https for an address without a scheme. */
function parseAddress(text: string): URL | null {
  const address = hasScheme(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

const plainHint = 'write https, or set useSecureCookies: false if http is intended'

/** @param mayBePlain - Whether http is allowed: in development, and if cookies are not `Secure`. */
function fixed(text: string, mayBePlain: boolean): SiteAddress {
  const url = parseAddress(text)
  if (!url)
    return toSiteAddress(
      { kind: 'loopback' },
      {
        problems: [
          {
            option: 'url',
            code: 'INVALID_URL',
            message: 'expected a URL like https://app.example.com, got another string'
          }
        ]
      }
    )
  const path = withoutTrailingSlashes(url.pathname)
  const isRefused = url.protocol === 'http:' && !mayBePlain && !isLoopback(url.host)
  const message = `expected an https address in production, got http; ${plainHint}`
  const problems: Problem[] = isRefused ? [{ option: 'url', code: 'HTTPS_REQUIRED', message }] : []
  const isMore = url.search || url.hash || url.username || url.password
  const warnings = [
    ...(isMore ? ['url: query, fragment, user and password are ignored; omit them'] : []),
    ...(!hasScheme(text) && isLoopback(url.host)
      ? [`url: the address has no scheme, so https is assumed; write http://${url.host} or https://${url.host}`]
      : [])
  ]
  return toSiteAddress({ kind: 'fixed', origin: url.origin }, { path: path || null, problems, warnings })
}

const hostPattern = /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d+)?$/i
const schemePattern = /^https?:\/\//i

const withoutScheme = (text: string): string => text.replace(schemePattern, '')

const isHost = (text: string): boolean =>
  hostPattern.test(withoutScheme(text)) && URL.canParse(`https://${withoutScheme(text)}`)

/** @param mayBePlain - Whether an entry may set http for a host that is not a loopback address. */
function listed(hosts: readonly string[], mayBePlain: boolean): SiteAddress {
  const isMistaken = hosts.length === 0 || !hosts.every(isHost)
  const isPlain = hosts.some((host) => /^http:/i.test(host) && !isLoopback(withoutScheme(host)))
  const option = 'trustHost'
  const problems: Problem[] = []
  if (isMistaken) {
    const message = 'expected hosts like app.example.com, or https://app.example.com, without a path'
    problems.push({ option, code: 'INVALID_URL', message })
  }
  if (isPlain && !mayBePlain) {
    const message = `expected https addresses in production, got http; ${plainHint}`
    problems.push({ option, code: 'HTTPS_REQUIRED', message })
  }
  const lower = hosts.map((host) => host.toLowerCase())
  return toSiteAddress({ kind: 'listed', hosts: lower, requiresHttps: !mayBePlain }, { problems })
}

/**
 * Resolves the origins of the application from the configuration.
 *
 * Requests affect the origin only with `trustHost`, and in development on a loopback host.
 */
export function resolveOrigins(
  { url, trustHost, useSecureCookies }: PosternOptions,
  environment: Environment,
  isProduction: boolean
): SiteAddress {
  const address = url ?? environment['AUTH_URL'] ?? environment['NEXTAUTH_URL']
  const mayBePlain = !isProduction || useSecureCookies === false
  if (address) return fixed(address, mayBePlain)
  if (Array.isArray(trustHost)) return listed(trustHost, mayBePlain)
  if (trustHost ?? (isOn(environment['AUTH_TRUST_HOST']) || isOn(environment['VERCEL']))) {
    const warnings = isProduction
      ? ['trustHost: true lets every request determine the origin of the application; list the hosts instead']
      : []
    return toSiteAddress({ kind: 'any', requiresHttps: !mayBePlain }, { warnings })
  }
  if (!isProduction) return toSiteAddress({ kind: 'loopback' })
  const message =
    'expected the address of the application, got nothing; set AUTH_URL, pass url, or list the hosts in trustHost'
  return toSiteAddress({ kind: 'loopback' }, { problems: [{ option: 'url', code: 'URL_MISSING', message }] })
}

/** Returns whether a variable is set to a value that does not mean "no". */
function isOn(text: string = ''): boolean {
  return text !== '' && !/^(false|0|no|off)$/i.test(text)
}

function isLoopback(host: string): boolean {
  return /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

/** Returns whether the origin is http and its host is not a loopback address. */
function isPlain(origin: string): boolean {
  return origin.startsWith('http:') && !isLoopback(new URL(origin).host)
}

/**
 * Resolves the origin of a request. No other code decides this.
 *
 * @param stated - The origin as the framework sees it.
 * @returns The origin, or `null` for an unknown host, and for http if https is required.
 */
export function originFor(stated: string, sites: Sites): string | null {
  const origin = findOrigin(stated, sites)
  return origin !== null && requiresHttps(sites) && isPlain(origin) ? null : origin
}

/** Returns whether a request is refused only because it counts as http. */
export function isRefusedAsHttp(stated: string, sites: Sites): boolean {
  if (!requiresHttps(sites)) return false
  const origin = findOrigin(stated, sites)
  return origin !== null && isPlain(origin)
}

function requiresHttps(sites: Sites): boolean {
  return (sites.kind === 'listed' || sites.kind === 'any') && sites.requiresHttps === true
}

function findOrigin(stated: string, sites: Sites): string | null {
  if (sites.kind === 'fixed') return sites.origin
  // URL parsers also find a host in strings that are not one: `evil.test@app.test`, `app.test/`.
  if (!hostPattern.test(withoutScheme(stated)) || !URL.canParse(stated)) return null
  const { protocol, host, origin } = new URL(stated)
  if (sites.kind === 'any') return origin
  if (sites.kind === 'loopback') return isLoopback(host) ? origin : null
  const given = withoutScheme(stated)
  for (const entry of sites.hosts) {
    const address = schemePattern.test(entry) ? new URL(entry) : null
    // An entry with a scheme applies to its host, whatever protocol the server sees.
    if (address && new URL(`${address.protocol}//${given}`).host === address.host) return address.origin
    if (entry === host || entry === `${host}:${protocol === 'https:' ? 443 : 80}`)
      return new URL(`${protocol}//${entry}`).origin
  }
  return null
}

/**
 * Returns whether requests in production determine http or https: for a host that is neither configured with its scheme
 * nor a loopback address. A server that cannot detect https must not be used with such a configuration.
 */
export function readsProtocol(options: PosternOptions, environment: Environment): boolean {
  const isProduction = environment['NODE_ENV'] === 'production'
  const { url, trustHost, useSecureCookies } = options
  const isMistaken = checkShape({ url, trustHost, useSecureCookies }, optionsShape, '').length > 0
  if (!isProduction || useSecureCookies === false || isMistaken) return false
  const { sites } = resolveOrigins(options, environment, isProduction)
  if (sites.kind !== 'listed') return sites.kind === 'any'
  return sites.hosts.some((host) => !schemePattern.test(host) && !isLoopback(host))
}
