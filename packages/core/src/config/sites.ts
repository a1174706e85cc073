import type { Problem } from '../errors/config-error.ts'
import type { Sites } from './config.ts'
import type { PosternOptions } from './options.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the application lives, and the path that its address carries. */
export interface Place {
  readonly sites: Sites
  /** The path of the address, or `null` for none. */
  readonly path: string | null
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
}

function place(sites: Sites, more: Partial<Place> = {}): Place {
  return { sites, path: null, problems: [], warnings: [], ...more }
}

/** next-auth v4 takes an address without a scheme for https. */
function parseAddress(text: string): URL | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}

/** @param mayBePlain - Whether http will do: in development, and where cookies are said not to be secure. */
function fixed(text: string, mayBePlain: boolean): Place {
  const url = parseAddress(text)
  if (!url)
    return place(
      { kind: 'loopback' },
      { problems: [{ option: 'url', message: 'expected an address like https://app.example.com, got another text' }] }
    )
  const path = url.pathname.replace(/\/+$/, '')
  const isRefused = url.protocol === 'http:' && !mayBePlain && !isLoopback(url.host)
  const messages = [
    ...(isRefused
      ? [
          'expected an https address in production, got http; write https, or set useSecureCookies: false where http is meant'
        ]
      : [])
  ]
  const problems = messages.map((message) => ({ option: 'url', message }))
  const isMore = url.search || url.hash || url.username || url.password
  const warnings = isMore
    ? ['url: what it has of query, fragment, user and password counts for nothing; leave it out']
    : []
  return place({ kind: 'fixed', origin: url.origin }, { path: path || null, problems, warnings })
}

const hostPattern = /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:\d+)?$/i

function listed(hosts: readonly string[]): Place {
  const message = 'expected hosts like app.example.com, without scheme and path'
  const isMistaken = hosts.length === 0 || !hosts.every((host) => hostPattern.test(host))
  const problems = isMistaken ? [{ option: 'trustHost', message }] : []
  return place({ kind: 'listed', hosts: hosts.map((host) => host.toLowerCase()) }, { problems })
}

/**
 * Says where the application lives, from configuration alone.
 *
 * Only `trustHost` and development on a loopback host let a request have a say in it.
 */
export function resolveSites(
  { url, trustHost, useSecureCookies }: PosternOptions,
  environment: Environment,
  isProduction: boolean
): Place {
  const address = url ?? environment['AUTH_URL'] ?? environment['NEXTAUTH_URL']
  if (address) return fixed(address, !isProduction || useSecureCookies === false)
  if (Array.isArray(trustHost)) return listed(trustHost)
  if (trustHost ?? (isOn(environment['AUTH_TRUST_HOST']) || isOn(environment['VERCEL']))) {
    const warnings = isProduction
      ? ['trustHost: true lets every request say where the application lives; list the hosts instead']
      : []
    return place({ kind: 'any' }, { warnings })
  }
  if (!isProduction) return place({ kind: 'loopback' })
  const message =
    'expected the address of the application, got nothing; set AUTH_URL, pass url, or list the hosts in trustHost'
  return place({ kind: 'loopback' }, { problems: [{ option: 'url', message }] })
}

/** A variable that is there and does not say no. */
function isOn(text: string = ''): boolean {
  return text !== '' && !/^(false|0|no|off)$/i.test(text)
}

function isLoopback(host: string): boolean {
  return /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

/**
 * The one place that decides which origin a request belongs to.
 *
 * @param claimed - The origin as the framework sees it.
 * @returns The origin, or `null` for a host that we do not answer for.
 */
export function originFor(claimed: string, sites: Sites): string | null {
  if (sites.kind === 'fixed') return sites.origin
  // A URL parser finds a host in more texts than are one: `evil.test@app.test`, `app.test/`.
  if (!hostPattern.test(claimed.replace(/^https?:\/\//, '')) || !URL.canParse(claimed)) return null
  const { protocol, host, origin } = new URL(claimed)
  if (sites.kind === 'any') return origin
  if (sites.kind === 'loopback') return isLoopback(host) ? origin : null
  const entry = sites.hosts.find(
    (listedHost) => listedHost === host || listedHost === `${host}:${protocol === 'https:' ? 443 : 80}`
  )
  return entry ? new URL(`${protocol}//${entry}`).origin : null
}
