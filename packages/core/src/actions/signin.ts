import { joinCookies } from '../cookies/set-cookies.ts'
import { pageCsrfToken } from '../csrf/csrf-token.ts'
import { isSignInCode, knownCode, ownCode } from '../errors/catalogue.ts'
import { textOf } from '../http/body.ts'
import { page, redirect } from '../http/outcome.ts'
import type { Page, Reason, SignInCode } from '../model/page.ts'
import { handlerOf } from '../provider-types/handlers.ts'
import { destination } from '../redirects/callback-url.ts'
import { withQuery } from './failure.ts'
import { refOf } from './ref.ts'
import { type Run, unknownProvider } from './row.ts'

const reasons: readonly Reason[] = ['cancelled', 'expired', 'unavailable', 'misconfigured']

/** The code to explain; nobody can put words on the page by a link. */
function errorOf(text: string | null): SignInCode | 'Default' | null {
  if (!text) return null
  const code = knownCode(text)
  return code && isSignInCode(code) ? code : 'Default'
}

/** @returns The reason, where it is one of ours: it says more of a provider's failure than the code. */
function reasonOf(text: string | null): Reason | null {
  return reasons.find((reason) => reason === text) ?? null
}

/** The screen with every way to sign in, or the application's own. */
export const showSignIn: Run = async (request, config, provider) => {
  if (!provider && request.path.split('/').length > 2) return unknownProvider
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  const given = textOf(request.query, 'error')
  if (config.pages.signIn) {
    const reason = textOf(request.query, 'reason')
    const parameters = { callbackUrl, ...(given ? { error: given } : {}), ...(reason ? { reason } : {}) }
    return redirect(withQuery(config.pages.signIn, parameters, config.origin), cookies)
  }
  const { token, cookies: csrfCookies } = await pageCsrfToken(request.cookies, config.csrf)
  const error = errorOf(given)
  const content: Page = {
    name: 'signin',
    csrfToken: token,
    callbackUrl,
    choices: config.choices,
    error,
    ownCode: ownCode(given),
    reason: error === 'OAuthCallback' || error === 'OAuthSignin' ? reasonOf(textOf(request.query, 'reason')) : null,
    ref: error === null || error === 'SessionRequired' ? null : refOf(request, error, config)
  }
  return page(content, joinCookies(cookies, csrfCookies))
}

/** Starts the way in that the path names; credentials start at the form. */
export const startSignIn: Run = async (request, config, provider) =>
  provider ? handlerOf(provider).start(provider, request, config) : redirect(`${config.base}/signin`)
