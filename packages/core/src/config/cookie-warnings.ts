import type { CookieAttributes } from '../model/cookie.ts'
import { isAnotherSite, ofAnotherSite } from './check-cookies.ts'
import type { Draft } from './normalized-options.ts'
import { longestCookie } from './session-times.ts'

/** The cookies that come back with the provider's answer, from its site to ours. */
const ofAttempts = ['state', 'pkceCodeVerifier', 'nonce']

function warningsFor(
  key: string,
  { maxAge = 0, sameSite, httpOnly, domain }: CookieAttributes,
  { found, place, isProduction }: Draft
): string[] {
  const hasOAuth = found.providers.some(({ kind }) => kind === 'oauth')
  const option = `cookies.${key}.options`
  return [
    ...(maxAge > longestCookie
      ? [
          `${option}.maxAge: expected at most ${longestCookie} seconds (400 days), got ${maxAge}; divide by 1000 if these are milliseconds`
        ]
      : []),
    ...(sameSite === 'strict' && hasOAuth && ofAttempts.includes(key)
      ? [
          `${option}.sameSite: 'strict' keeps this cookie from the answer of a provider on another site, so that no sign-in there succeeds; write 'lax'`
        ]
      : []),
    // One domain for all is usual in configurations that development shares.
    ...(domain && !isProduction && isAnotherSite(domain, place.sites) ? [`${option}.domain: ${ofAnotherSite}`] : []),
    ...(key === 'sessionToken' && !httpOnly
      ? [`${option}.httpOnly: scripts of every page can read the session and take it away; write httpOnly: true`]
      : [])
  ]
}

/** @returns What is allowed of cookies, as next-auth allows it, and hardly meant. */
export function cookieWarnings(draft: Draft): readonly string[] {
  const { cookies = {} } = draft.options
  return Object.entries(cookies).flatMap(([key, given]) =>
    given?.options ? warningsFor(key, given.options, draft) : []
  )
}
