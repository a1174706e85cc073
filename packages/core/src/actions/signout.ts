import type { Config } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { freshCsrfToken, pageCsrfToken } from '../csrf/csrf-token.ts'
import { textOf } from '../http/body.ts'
import { type Outcome, page, redirect } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import { destination, safeUrl } from '../redirects/callback-url.ts'
import { atProvider, revokeAt, wayBack, wayOut } from './provider-signout.ts'
import type { Run } from './row.ts'

/** The question whether to sign out, or the application's own page. */
export const showSignOut: Run = async (request, config) => {
  const back = await returned(request, config)
  if (back) return back
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  if (config.pages.signOut) return redirect(new URL(config.pages.signOut, config.origin).href, cookies)
  const { token: csrfToken, cookies: csrfCookies } = await pageCsrfToken(request.cookies, config.csrf)
  const action = `${config.basePath}/signout`
  return page({ name: 'signout', csrfToken, action, callbackUrl }, joinCookies(cookies, csrfCookies))
}

/**
 * A visitor who signed out at the provider and comes back. The answer proves nothing: whoever is still signed in is
 * asked as usual, and a `state` that is not ours leads to our front page.
 */
async function returned(request: AuthRequest, config: Config): Promise<Outcome | null> {
  const state = textOf(request.query, 'state')
  if (state === null || (await config.finder.identify(request.cookies))) return null
  const callbackUrl = (await wayBack(state, config)) ?? config.origin
  return redirect(await safeUrl(callbackUrl, config.redirects))
}

/** Ends the session on the server, then in the browser; at the provider too, where the form says so. */
export const signOut: Run = async (request, config) => {
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  const at = await atProvider(request, config)
  const ended = await config.sessions.close(request.cookies)
  const { cookies: csrf } = await freshCsrfToken(config.csrf)
  const isWanted = at !== null && textOf(request.body, 'provider') !== null
  const way = isWanted ? await wayOut(at, callbackUrl, config) : null
  if (at) await revokeAt(at, config)
  return redirect(way ?? callbackUrl, joinCookies(cookies, ended, csrf))
}
