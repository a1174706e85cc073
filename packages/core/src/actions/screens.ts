import { joinCookies } from '../cookies/set-cookies.ts'
import { pageCsrfToken } from '../csrf/csrf-token.ts'
import { catalogue, isSignInCode, knownCode, ownCode } from '../errors/error-codes.ts'
import { textOf } from '../http/body.ts'
import { asset, page, redirect, text } from '../http/action-result.ts'
import type { Page, Reason, SignInCode } from '../model/page.ts'
import { emailRequests } from '../provider-types/email-request.ts'
import { destination } from '../redirects/callback-url.ts'
import { redirectUriAt } from '../redirects/redirect-uri.ts'
import { errorPage, screenCode, withQuery } from './error-response.ts'
import { refOf } from './error-reference.ts'
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

/** Explains a code; those of the sign-in screen go there. */
export const showError: Run = async (request, config) => {
  const given = textOf(request.query, 'error')
  const code = given ? knownCode(given) : null
  if (code && isSignInCode(code)) return redirect(withQuery(`${config.base}/signin`, { error: code }, config.origin))
  if (config.pages.error) return redirect(withQuery(config.pages.error, { error: given ?? 'undefined' }, config.origin))
  const screen = screenCode(given ?? '')
  const ref = refOf(request, screen, config)
  const status = screen === 'Default' ? 200 : catalogue[screen].status
  return errorPage({ error: screen, ownCode: ownCode(given), status, ref }, config)
}

/** "Check your e-mail", with the field for the code where this browser asked for one. */
export const showVerifyRequest: Run = async (request, config) => {
  if (config.pages.verifyRequest) return redirect(new URL(config.pages.verifyRequest, config.origin).href)
  const id = textOf(request.query, 'provider') ?? ''
  const provider = config.providers.get(id)
  const [newest] = (await emailRequests(request.cookies, config)).filter((entry) => entry.provider === id)
  const hasCode = provider?.kind === 'email' && provider.code !== false && newest?.codeHash
  const link = provider?.kind !== 'email' || provider.code !== 'only'
  const common = { name: 'verify-request', identifier: newest?.identifier ?? null, link } as const
  if (!hasCode) return page({ ...common, code: null, ref: null })
  const { token: csrfToken, cookies } = await pageCsrfToken(request.cookies, config.csrf)
  const wrong = textOf(request.query, 'error') === 'code'
  const code = { action: redirectUriAt(config.basePath, id), csrfToken, length: config.constants.codeLength, wrong }
  return page({ ...common, code, ref: wrong ? refOf(request, 'Verification', config) : null }, cookies)
}

/** Greets a new user, where the application wants it. */
export const showWelcome: Run = async (request, config) => {
  if (config.pages.newUser !== true) return text('Error: there is no welcome page', 404)
  const { callbackUrl, cookies } = await destination(request, config.redirects)
  const signedIn = await config.finder.identify(request.cookies)
  return page({ name: 'welcome', user: signedIn?.name ?? signedIn?.email ?? null, callbackUrl }, cookies)
}

/** A file of the screens; its name changes with its content. */
export const sendAsset: Run = async ({ path }, { presentation: { renderer, frame } }) => {
  const found = renderer.asset?.(path.split('/')[2] ?? '', frame)
  return found ? asset(found) : text('Error: there is no such file', 404)
}
