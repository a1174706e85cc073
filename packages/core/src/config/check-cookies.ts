import type { CookieTable } from '../cookies/names.ts'
import type { Problem, ProblemDetail } from '../errors/config-error.ts'
import type { Sites } from './config.ts'

/** The maximum length of a cookie's name and value together, in characters; browsers reject longer ones. */
const maxPairLength = 4096
/** The length of the suffix of a chunk's name: `.49`. */
const suffix = 3

/** Cookies whose attributes follow from other cookies and from `basePath`. */
const ours = ['device', 'emailRequest', 'lastMethod', 'newDevice', 'sessionProof']

const namePattern = /^[\w!#$%&'*.^`|~+-]+$/
const pathPattern = /^\/[\x20-\x3a\x3c-\x7e]*$/
const domainPattern = /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i

const parseHostname = (entry: string): string | undefined => entry.replace(/^https?:\/\//, '').split(':', 1)[0]

/** A browser accepts a cookie for the host that sets it and for its parent domains, but not for a public suffix. */
function domainProblem(domain: string, sites: Sites): ProblemDetail | null {
  if (!domainPattern.test(domain))
    return { code: 'INVALID_VALUE', message: 'expected a domain like example.com, without scheme, port and path' }
  const bare = domain.replace(/^\./, '').toLowerCase()
  const host = sites.kind === 'fixed' ? new URL(sites.origin).hostname : null
  if (bare === host || sites.kind === 'any') return null
  const isListed = sites.kind === 'listed' && sites.hosts.some((one) => parseHostname(one) === bare)
  if (!bare.includes('.') && bare !== 'localhost' && !isListed)
    return {
      code: 'COOKIE_REJECTED',
      message: 'expected a domain like example.com, got a top-level domain; browsers reject cookies for it'
    }
  return null
}

/** The message for a domain that does not include the host of `url`. */
export const ofAnotherSite =
  'expected the host of url, or a domain above it; browsers reject cookies for another site; omit it for a single host'

/** Whether browsers reject a cookie that `url` sets for this domain. */
export function isAnotherSite(domain: string, sites: Sites): boolean {
  if (sites.kind !== 'fixed') return false
  const host = new URL(sites.origin).hostname
  const bare = domain.replace(/^\./, '').toLowerCase()
  return bare !== host && !host.endsWith(`.${bare}`)
}

const rejected = (message: string): ProblemDetail => ({ code: 'COOKIE_REJECTED', message })

function nameProblem(
  name: string,
  { secure, path, domain, sameSite }: CookieTable['state']['options'],
  names: readonly string[]
): ProblemDetail | null {
  if (!namePattern.test(name))
    return { code: 'INVALID_VALUE', message: 'expected a name without spaces, commas, semicolons and equals signs' }
  if (names.indexOf(name) !== names.lastIndexOf(name))
    return { code: 'COOKIE_NAME_DUPLICATE', message: 'two cookies have this name; give one of them another name' }
  if (name.startsWith('__Secure-') && !secure) return rejected('the prefix __Secure- needs options.secure: true')
  if (name.startsWith('__Host-') && !(secure && path === '/' && !domain))
    return rejected("the prefix __Host- needs options.secure: true, path: '/' and no domain")
  return sameSite === 'none' && !secure ? rejected("sameSite: 'none' needs options.secure: true") : null
}

/**
 * @returns Problems of cookies that browsers would reject (RFC 6265bis §4.1.3, §5.6), and of names that two cookies
 * share.
 */
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
    const found: readonly (readonly [option: string, problem: ProblemDetail | null])[] = [
      ['', nameProblem(name, options, names)],
      [
        '.options.domain',
        domain ? (domainProblem(domain, sites) ?? (isDropped ? rejected(ofAnotherSite) : null)) : null
      ],
      [
        '.options.path',
        isMispathed ? { code: 'INVALID_VALUE', message: 'expected a path that begins with a slash' } : null
      ]
    ]
    return found.flatMap(([option, problem]) =>
      problem === null ? [] : [{ option: `cookies.${key}${option}`, ...problem }]
    )
  })
  const room = maxPairLength - table.sessionToken.name.length - suffix
  const message = `expected at most ${room} beside the name of the session cookie, got ${chunkSize}; browsers reject longer cookies`
  if (chunkSize <= room) return problems
  return [...problems, { option: 'constants.cookieChunkSize', code: 'OUT_OF_RANGE', message }]
}
