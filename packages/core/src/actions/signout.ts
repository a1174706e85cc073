import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { type ActionResult, page, redirect } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, getHeader } from '../http/request.ts'
import { withQuery } from './error-response.ts'
import { endImpersonation } from './impersonation.ts'
import { findProviderSession, getLogoutReturnUrl, getLogoutUrl, revokeAt } from './provider-signout.ts'
import type { Run } from './route.ts'

/** Shows the sign-out page, or redirects to the application's own. */
export const showSignOut: Run = async (request, config) => {
  const back = await returned(request, config)
  if (back) return back
  const { callbackUrl, cookies } = await config.redirects.resolve(request)
  if (config.pages.signOut) return redirect(new URL(config.pages.signOut, config.origin).href, cookies)
  const { token: csrfToken, cookies: csrfCookies } = await config.csrf.readOrIssue(request.cookies)
  const action = `${config.basePath}/signout`
  return page({ name: 'signout', csrfToken, action, callbackUrl }, joinCookies(cookies, csrfCookies))
}

/**
 * Handles the return from a sign-out at the provider. The request proves nothing: a user who is still signed in sees
 * the confirmation page, and an unknown `state` leads to the front page. Cognito and older tenants of Auth0 return no `state`: a
 * visitor who comes from another site and is not signed in has nothing to confirm.
 */
async function returned(request: AuthRequest, config: Config): Promise<ActionResult | null> {
  const state = getText(request.query, 'state')
  if (state === null && getHeader(request, 'sec-fetch-site') !== 'cross-site') return null
  if (await config.sessionReader.readUser(request.cookies)) return null
  const callbackUrl = (state === null ? null : await getLogoutReturnUrl(state, config)) ?? config.origin
  return redirect(
    await config.redirects.toSafeUrl(callbackUrl),
    await config.signInFlash.create({ kind: 'signed-out' })
  )
}

/** Ends the session in the store, clears the cookie, and signs out at the provider if the form requests it. */
export const signOut: Run = async (request, config) => {
  const { callbackUrl, cookies } = await config.redirects.resolve(request)
  const impersonation = await endImpersonation(request, config)
  // The sign-out of an impersonation must not end what the user has at a provider.
  const at = impersonation ? null : await findProviderSession(request, config)
  const ended = impersonation ?? (await config.sessions.destroy(request.cookies, request))
  const { cookies: csrf } = await config.csrf.issue()
  const isWanted = at !== null && getText(request.body, 'provider') !== null
  const way = isWanted ? await getLogoutUrl(at, callbackUrl, config) : null
  if (at) await revokeAt(at, config)
  // A sign-in that was interrupted in this browser must not continue for the next person.
  const pending = joinCookies(config.pendingSignIns.clearIn(request.cookies), config.stepUps.clear(request.cookies))
  // The callback URL may be a protected page, which redirects to the sign-in page. A user who changes the account sees that page.
  const signedOut = await config.signInFlash.create({ kind: 'signed-out' })
  const isSwitch = getText(request.body, 'another') === 'true'
  const next = isSwitch ? withQuery(`${config.base}/signin`, { callbackUrl }, config.origin) : callbackUrl
  return redirect(way ?? next, joinCookies(cookies, ended, pending, csrf, isSwitch ? noCookies : signedOut))
}
