import { joinCookies } from '../cookies/set-cookies.ts'
import { freshCsrfToken, pageCsrfToken } from '../csrf/page-token.ts'
import { page, redirect } from '../http/outcome.ts'
import { destination } from '../redirects/callback-url.ts'
import type { Run } from './row.ts'

/** The question whether to sign out, or the application's own page. */
export const showSignOut: Run = async (request, config) => {
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  if (config.pages.signOut) return redirect(new URL(config.pages.signOut, config.origin).href, cookies)
  const { token: csrfToken, cookies: csrfCookies } = await pageCsrfToken(request.cookies, config.csrf)
  const action = `${config.basePath}/signout`
  return page({ name: 'signout', csrfToken, action, callbackUrl }, joinCookies(cookies, csrfCookies))
}

/** Ends the session on the server, then in the browser. */
export const signOut: Run = async (request, config) => {
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  const ended = await config.sessions.close(request.cookies)
  const { cookies: csrf } = await freshCsrfToken(config.csrf)
  return redirect(callbackUrl, joinCookies(cookies, ended, csrf))
}
