import type { CookieOptions } from '../cookies/names.ts'
import { isAnotherSite, ofAnotherSite } from './check-cookies.ts'
import type { Sites } from './config.ts'
import type { NormalizedOptions } from './normalized-options.ts'

/** The maximum lifetime of a cookie in browsers, in seconds: 400 days (RFC 6265bis). */
export const maxCookieSeconds = 34_560_000

/** The cookies that must be sent with the provider's response, which is a cross-site request. */
const ofAttempts = ['state', 'pkceCodeVerifier', 'nonce']

/** Whether every request counts as https, except those of loopback hosts. */
function isHttps(sites: Sites): boolean {
  if (sites.kind === 'fixed') return sites.origin.startsWith('https:')
  return (sites.kind === 'listed' || sites.kind === 'any') && sites.requiresHttps === true
}

function warningsFor(
  key: string,
  { maxAge = 0, sameSite, httpOnly, domain, secure }: CookieOptions,
  { found, siteAddress, isProduction }: NormalizedOptions
): string[] {
  const isCrossSite = found.providers.some(({ traits }) => traits.isCrossSite)
  const option = `cookies.${key}.options`
  return [
    ...(maxAge > maxCookieSeconds
      ? [
          `${option}.maxAge: expected at most ${maxCookieSeconds} seconds (400 days), got ${maxAge}; divide by 1000 if these are milliseconds`
        ]
      : []),
    ...((sameSite === 'strict' || sameSite === true) && isCrossSite && ofAttempts.includes(key)
      ? [
          `${option}.sameSite: 'strict' excludes this cookie from the response of a provider on another site, so every sign-in with it fails; write 'lax'`
        ]
      : []),
    // Configurations that development shares often have one domain for all environments.
    ...(domain && !isProduction && isAnotherSite(domain, siteAddress.sites)
      ? [`${option}.domain: ${ofAnotherSite}`]
      : []),
    ...(!secure && isHttps(siteAddress.sites)
      ? [`${option}.secure: browsers also send this cookie over http, which can be intercepted; write secure: true`]
      : []),
    ...(key === 'sessionToken' && !httpOnly
      ? [`${option}.httpOnly: scripts of every page can read the session cookie; write httpOnly: true`]
      : [])
  ]
}

/** @returns Warnings about cookie options that next-auth allows, but that are probably a mistake. */
export function cookieWarnings(draft: NormalizedOptions): readonly string[] {
  const { cookies = {} } = draft.options
  return Object.entries(cookies).flatMap(([key, given]) =>
    given?.options ? warningsFor(key, given.options, draft) : []
  )
}
