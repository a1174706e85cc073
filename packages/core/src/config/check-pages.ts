import type { Problem } from '../errors/config-error.ts'
import type { Sites } from './config.ts'
import type { PagesOptions, PosternOptions } from './options.ts'

/** The origin that relative URLs of pages are resolved against. */
const anywhere = 'https://origin.invalid'

/** The built-in page that each option replaces. */
const builtIn: Readonly<Record<keyof PagesOptions, string>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
  newUser: 'welcome',
  account: 'account'
}

const isPage = (name: string): name is keyof PagesOptions => Object.hasOwn(builtIn, name)

/** @returns The part of a page's path below `basePath`, or `null` for a page of the application. */
function ownRoute({ origin, pathname }: URL, basePath: string, sites: Sites): string | null {
  const isOwn = origin === anywhere || (sites.kind === 'fixed' && origin === sites.origin)
  return isOwn && pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1).replace(/\/$/, '') : null
}

/**
 * A built-in page that redirects to itself loops; a built-in page in place of the sign-in page prevents every sign-in.
 */
function isCircle(name: string, route: string, providers: PosternOptions['providers']): boolean {
  if (name !== 'signIn') return isPage(name) && builtIn[name] === route
  const pages: readonly string[] = Object.values(builtIn)
  // Any other URL below `basePath` may be a page of the application.
  return pages.includes(route) || (Array.isArray(providers) && providers.some(({ id }) => route === `signin/${id}`))
}

/** @returns Problems of pages that a browser cannot be redirected to, and of pages that redirect back. */
export function checkPages({ pages = {}, providers }: PosternOptions, basePath: string, sites: Sites): Problem[] {
  return Object.entries(pages).flatMap(([name, page]): Problem[] => {
    if (typeof page !== 'string') return []
    const option = `pages.${name}`
    const url = URL.canParse(page, anywhere) ? new URL(page, anywhere) : null
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return [{ option, code: 'INVALID_URL', message: 'expected a path like /signin, or an address' }]
    const route = ownRoute(url, basePath, sites)
    if (route === null || !isCircle(name, route, providers)) return []
    const expected = 'expected a page of the application, got a built-in route, which would redirect to itself'
    const hint = name === 'newUser' ? 'write true' : 'omit it'
    return [{ option, code: 'PAGE_LOOP', message: `${expected}; ${hint} for the built-in page` }]
  })
}
