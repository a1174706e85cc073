import type { Problem } from '../errors/config-error.ts'
import type { Sites } from './config.ts'
import type { PagesOptions, PosternOptions } from './options.ts'

/** Stands in for our origin, which the address of a page may be relative to. */
const anywhere = 'https://origin.invalid'

/** The built-in page that each option stands in for. */
const builtIn: Readonly<Record<keyof PagesOptions, string>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
  newUser: 'welcome'
}

const isPage = (name: string): name is keyof PagesOptions => Object.hasOwn(builtIn, name)

/** @returns The part of a page's path below `basePath`, or `null` for a page of the application's own. */
function ownRoute({ origin, pathname }: URL, basePath: string, sites: Sites): string | null {
  const isOwn = origin === anywhere || (sites.kind === 'fixed' && origin === sites.origin)
  return isOwn && pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1).replace(/\/$/, '') : null
}

/** A built-in page that sends to itself is a circle; one in place of the sign-in page leaves no way to sign in. */
function isCircle(name: string, route: string, providers: PosternOptions['providers']): boolean {
  if (name !== 'signIn') return isPage(name) && builtIn[name] === route
  const pages: readonly string[] = Object.values(builtIn)
  // Any other address below `basePath` may be a page of the application's own.
  return pages.includes(route) || (Array.isArray(providers) && providers.some(({ id }) => route === `signin/${id}`))
}

/** @returns Pages that no browser could be sent to, and those that would send it back to where it came from. */
export function checkPages({ pages = {}, providers }: PosternOptions, basePath: string, sites: Sites): Problem[] {
  return Object.entries(pages).flatMap(([name, page]): Problem[] => {
    if (typeof page !== 'string') return []
    const option = `pages.${name}`
    const url = URL.canParse(page, anywhere) ? new URL(page, anywhere) : null
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return [{ option, message: 'expected a path like /signin, or an address' }]
    const route = ownRoute(url, basePath, sites)
    if (route === null || !isCircle(name, route, providers)) return []
    const expected =
      'expected a page of the application, got one of our own routes, which would send to itself for ever'
    const mend = name === 'newUser' ? 'write true' : 'leave it out'
    return [{ option, message: `${expected}; ${mend} for the built-in page` }]
  })
}
