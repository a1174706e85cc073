import type { CookieTable } from '../cookies/names.ts'
import type { Problem } from '../errors/config-error.ts'
import type { Sites } from './config.ts'

/** What browsers keep of a cookie: characters of its name and its value together. */
const longestPair = 4096
/** What the name of one of several cookies has after it: `.49`. */
const suffix = 3

/** Cookies whose attributes follow from those of others, and from `basePath`. */
const ours = ['emailRequest', 'sessionProof']

const namePattern = /^[\w!#$%&'*.^`|~+-]+$/
const pathPattern = /^\/[\x20-\x3a\x3c-\x7e]*$/
const domainPattern = /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i

/** A browser takes a cookie for the host that sets it and for what is above it, but not for a whole top-level domain. */
function domainProblem(domain: string, sites: Sites): string | null {
  if (!domainPattern.test(domain)) return 'expected a domain like example.com, without scheme, port and path'
  const bare = domain.replace(/^\./, '').toLowerCase()
  const host = sites.kind === 'fixed' ? new URL(sites.origin).hostname : null
  if (bare === host || sites.kind === 'any') return null
  const isListed = sites.kind === 'listed' && sites.hosts.some((one) => one.split(':', 1)[0] === bare)
  if (!bare.includes('.') && bare !== 'localhost' && !isListed)
    return 'expected a domain like example.com, got a top-level domain; no browser keeps a cookie for it'
  return null
}

/** What is said of a domain that the host of `url` is not in. */
export const ofAnotherSite =
  'expected the host of url, or a domain above it; browsers drop a cookie for another site; leave it out where one host is all'

/** Whether a browser drops what `url` sets for a domain. */
export function isAnotherSite(domain: string, sites: Sites): boolean {
  if (sites.kind !== 'fixed') return false
  const host = new URL(sites.origin).hostname
  const bare = domain.replace(/^\./, '').toLowerCase()
  return bare !== host && !host.endsWith(`.${bare}`)
}

function nameProblem(
  name: string,
  { secure, path, domain, sameSite }: CookieTable['state']['options'],
  names: readonly string[]
): string | null {
  if (!namePattern.test(name)) return 'expected a name without spaces, commas, semicolons and equals signs'
  if (names.indexOf(name) !== names.lastIndexOf(name))
    return 'two cookies have this name; give one of them another name'
  if (name.startsWith('__Secure-') && !secure) return 'the prefix __Secure- needs options.secure: true'
  if (name.startsWith('__Host-') && !(secure && path === '/' && !domain))
    return "the prefix __Host- needs options.secure: true, path: '/' and no domain"
  return sameSite === 'none' && !secure ? "sameSite: 'none' needs options.secure: true" : null
}

/** @returns Cookies that a browser would refuse (RFC 6265bis §4.1.3, §5.6), and names that two of them share. */
export function checkCookies(
  table: CookieTable,
  {
    sites,
    chunkSize,
    isProduction
  }: { readonly sites: Sites; readonly chunkSize: number; readonly isProduction: boolean }
): Problem[] {
  const names = Object.values(table).map(({ name }) => name)
  const problems = Object.entries(table).flatMap(([key, { name, options }]): Problem[] => {
    if (ours.includes(key)) return []
    const { path, domain } = options
    const isDropped = domain && isProduction && isAnotherSite(domain, sites)
    const isMispathed = path && !pathPattern.test(path)
    const found: readonly (readonly [option: string, message: string | null])[] = [
      ['', nameProblem(name, options, names)],
      ['.options.domain', domain ? (domainProblem(domain, sites) ?? (isDropped ? ofAnotherSite : null)) : null],
      ['.options.path', isMispathed ? 'expected a path like /, which begins with a slash' : null]
    ]
    return found.flatMap(([option, message]) =>
      message === null ? [] : [{ option: `cookies.${key}${option}`, message }]
    )
  })
  const room = longestPair - table.sessionToken.name.length - suffix
  const message = `expected at most ${room} beside the name of the session cookie, got ${chunkSize}; browsers drop what is longer`
  return chunkSize > room ? [...problems, { option: 'constants.cookieChunkSize', message }] : problems
}
