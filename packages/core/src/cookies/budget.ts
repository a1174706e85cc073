import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { CookieTable } from './names.ts'
import { applyCookies, clearCookie, joinCookies, noCookies } from './set-cookies.ts'

/**
 * How much all cookies that this application sets in one browser may take together. A browser returns all of them in one
 * request, and a server that refuses its headers refuses sign-out as well: Node reads 16 kB of headers.
 */
export interface CookieBudget {
  /** Characters of the header field `Cookie`. */
  readonly max: number
  /** Which cookies are set here. */
  readonly isOwn: (name: string) => boolean
  /** What this browser has begun: it can begin again, so these cookies give way. */
  readonly pending: readonly CookieSetting[]
}

/** @returns The budget of a site with these cookies. */
export function createCookieBudget(table: CookieTable, max: number): CookieBudget {
  const names = new Set(Object.values(table).map(({ name }) => name))
  const chunk = `${table.sessionToken.name}.`
  const isOwn = (name: string): boolean =>
    names.has(name) || name.startsWith(chunk) || /^(?:__Secure-|__Host-)?postern\./.test(name)
  const pending = [table.state, table.pkceCodeVerifier, table.nonce, table.emailRequest]
  return { max, isOwn, pending }
}

/** Room for the small cookies beside the session: CSRF token, return page, known device, marks. */
const roomBesideSession = 2000

/** @returns The longest session, in characters of all its cookies. */
export function getMaxSessionLength({ max }: Pick<CookieBudget, 'max'>): number {
  return max - roomBesideSession
}

/** The length of `name=value; `. */
function measure(cookies: Iterable<readonly [string, string]>, isCounted: (name: string) => boolean): number {
  let length = 0
  for (const [name, value] of cookies) if (isCounted(name)) length += name.length + value.length + 3
  return length
}

/** @returns The length of the header field that sends these cookies back. */
export function measureCookies(cookies: SetCookies): number {
  let length = 0
  for (const [name, { value }] of cookies) if (value !== '') length += name.length + value.length + 3
  return length
}

/** @returns The characters that are left for what this browser begins now, beside its other cookies. */
export function getRoom(
  cookies: RequestCookies,
  replaced: readonly CookieSetting[],
  { max, isOwn }: CookieBudget
): number {
  const names = replaced.map(({ name }) => name)
  return max - measure(cookies, (name) => isOwn(name) && !names.includes(name))
}

/** @returns The removal of what this browser has begun, if its cookies are beyond the budget with these changes. */
export function dropPending(cookies: RequestCookies, changes: SetCookies, budget: CookieBudget): SetCookies {
  const { max, isOwn, pending } = budget
  if (measure(applyCookies(cookies, changes), isOwn) <= max) return noCookies
  const held = pending.filter(({ name }) => cookies.has(name))
  return joinCookies(...held.map(({ name, options }) => clearCookie(name, options)))
}
