import { cookieTable } from '../cookies/names.ts'
import type { CookieSetting } from '../model/cookie.ts'
import type { Sites } from './config.ts'
import type { NormalizedOptions } from './normalized-options.ts'

/** A session cookie, and the requests that include it. */
export interface CookieScope {
  readonly name: string
  readonly path: string
  /** `null` for a cookie of one host. */
  readonly domain: string | null
  /** The hosts that set it; `null` if requests decide. */
  readonly hosts: readonly string[] | null
}

function getHosts(sites: Sites): readonly string[] | null {
  if (sites.kind === 'fixed') return [new URL(sites.origin).hostname]
  return sites.kind === 'listed' ? sites.hosts.map((host) => host.replace(/:\d+$/, '')) : null
}

/** @returns The cookies that the sessions of a registration depend on, on http and on https if both are possible. */
export function sessionCookies({
  options,
  siteAddress: { sites },
  basePath,
  isDatabaseSession
}: NormalizedOptions): CookieScope[] {
  const { useSecureCookies: secure = sites.kind === 'fixed' ? sites.origin.startsWith('https:') : null } = options
  const isProven = isDatabaseSession && options.session?.storage === 'plain'
  const hosts = getHosts(sites)
  const toScope = ({ name, options: { path, domain } }: CookieSetting): CookieScope => ({
    name,
    path: path ?? '/',
    domain: domain ? domain.replace(/^\./, '').toLowerCase() : null,
    hosts
  })
  return (secure === null ? [true, false] : [secure]).flatMap((isSecure) => {
    const { sessionToken, sessionProof } = cookieTable(isSecure, basePath, options.cookies ?? {})
    return (isProven ? [sessionToken, sessionProof] : [sessionToken]).map(toScope)
  })
}

const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(outer.endsWith('/') ? outer : `${outer}/`)

const isSentTo = (host: string, { domain, hosts }: CookieScope): boolean =>
  domain === null ? hosts === null || hosts.includes(host) : host === domain || host.endsWith(`.${domain}`)

/** @returns Whether a browser sends both cookies under one name with some request (RFC 6265bis §5.8.3). */
export function cookiesOverlap(one: CookieScope, other: CookieScope): boolean {
  if (one.name !== other.name) return false
  if (!isWithin(one.path, other.path) && !isWithin(other.path, one.path)) return false
  if (one.hosts === null || other.hosts === null) return true
  return [...one.hosts, ...other.hosts].some((host) => isSentTo(host, one) && isSentTo(host, other))
}
