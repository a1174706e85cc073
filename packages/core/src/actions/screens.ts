import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { errorCodes, isSignInCode, knownCode, ownCode } from '../errors/error-codes.ts'
import type { Flash } from '../features/sign-in-flash.ts'
import type { StepUp } from '../features/step-up.ts'
import { type ActionResult, asset, page, redirect, text } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import { confirmationProviderId } from '../model/confirmation-provider.ts'
import { lazy } from '../model/lazy.ts'
import { hasInternationalLocalPart, normalizeEmailAddress } from '../model/normalize-email-address.ts'
import type { BuiltInPage, FailedForm, Reason, SignInCode, SignInOption } from '../model/page.ts'
import type { User } from '../model/user.ts'
import { anyAccount } from '../oauth/link-request.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import { readLastMethod } from '../sign-in-methods/last-method.ts'
import { readSentMail } from '../sign-in-methods/pending-email.ts'
import {
  errorPage,
  getErrorReference,
  linkConfirmationPage,
  readReference,
  screenCode,
  unknownProvider,
  withQuery
} from './error-response.ts'
import type { Run } from './route.ts'
import type { StepUpOptions } from './step-up-options.ts'

/** Few users authenticate again. */
const loadStepUpOptions = lazy(() => import('./step-up-options.ts'))

const providerReasons: readonly Reason[] = ['cancelled', 'expired', 'unavailable', 'misconfigured']

/** The reasons that describe a failure more precisely than its code. */
const reasons: { readonly [C in SignInCode | 'Default']?: readonly Reason[] } = {
  OAuthCallback: providerReasons,
  OAuthSignin: providerReasons,
  EmailSignin: ['invalid', 'non-ascii', 'captcha']
}

/** Parses the error code of a URL. Unknown values are dropped, so a link cannot put text on the page. */
function parseErrorCode(text: string | null): SignInCode | 'Default' | null {
  if (!text) return null
  const code = knownCode(text)
  return code && isSignInCode(code) ? code : 'Default'
}

/** @returns The reason if it is a known one of this code. */
function parseReason(error: SignInCode | 'Default' | null, text: string | null): Reason | null {
  return (error && reasons[error]?.find((reason) => reason === text)) ?? null
}

/** @returns The form whose failure a page shows; `null` if it shows another one, or that of another request. */
function getFailedForm(flash: Flash | null, ref: string | null): FailedForm | null {
  if (flash?.kind !== 'failed-form' || flash.ref !== ref) return null
  return { providerId: flash.providerId, identifier: flash.identifier }
}

/** Passes the id of the failed request on to the application's own page. */
function referenceParameter(request: Pick<AuthRequest, 'query'>): { readonly ref?: string } {
  const ref = readReference(request)
  return ref === null ? {} : { ref }
}

/** A longer text is not shown again. */
const maxIdentifierLength = 320

/**
 * Shows the second step of a sign-in that begins with the address: the same methods for every address, none of which was
 * looked up.
 *
 * @returns `null` if the page has one step.
 */
export async function showSignInMethods(request: AuthRequest, config: Config): Promise<ActionResult | null> {
  const { identifierFirst } = config.signInPage
  if (!identifierFirst) return null
  const typed = (getText(request.body, 'email') ?? '').slice(0, maxIdentifierLength)
  const stepUp = await config.stepUps.read(request.cookies)
  const shown = { signOutUrl: null, reason: null }
  if (normalizeEmailAddress(typed) !== null)
    return signInPage(request, stepUp, config, { ...shown, identifierFirst: { ...identifierFirst, identifier: typed } })
  const email = config.signInOptions.find(({ type }) => type === 'email' || type === 'credentials')
  const reason = hasInternationalLocalPart(typed) ? 'non-ascii' : 'invalid'
  const failedForm = email ? { providerId: email.id, identifier: typed } : null
  return signInPage(request, stepUp, config, {
    ...shown,
    error: 'EmailSignin',
    reason,
    identifierFirst,
    failedForm,
    ref: null
  })
}

/** Shows the sign-in page, or redirects to the application's own. */
export const showSignIn: Run = async (request, config, provider) => {
  if (!provider && request.path.split('/').length > 2) return unknownProvider(request, config)
  if (provider && getText(request.query, 'link') === 'true') {
    const user = await config.sessionReader.readUser(request.cookies)
    if (user) return linkConfirmationPage(provider.id, { account: null, user, link: anyAccount }, request, config)
  }
  // A page without an error is a new start: its reader may sign in as any user.
  const hasFailed = getText(request.query, 'error') !== null
  const stepUp = hasFailed ? await config.stepUps.read(request.cookies) : null
  const shown = await signInPage(request, stepUp, config)
  return stepUp ? shown : { ...shown, cookies: joinCookies(shown.cookies, config.stepUps.clear(request.cookies)) }
}

/** The content of the sign-in page. */
export type SignInContent = Extract<BuiltInPage, { readonly name: 'signin' }>

/** @returns The user whom the page shows; `'unknown'` during an outage of the store. */
async function readSignedIn(
  { cookies }: Pick<AuthRequest, 'cookies'>,
  { sessionReader }: Config
): Promise<NonNullable<SignInContent['user']> | null | 'unknown'> {
  try {
    const user = await sessionReader.readUser(cookies)
    return user && { name: user.name, email: user.email }
  } catch {
    return 'unknown'
  }
}

/** Whether the request carries the cookie of a session, whole or in parts. */
function hasSessionCookie({ cookies }: Pick<AuthRequest, 'cookies'>, config: Config): boolean {
  const { name } = config.cookies.sessionToken
  return cookies.has(name) || cookies.has(`${name}.0`)
}

/** The first step asks for the address. A form that failed was in the second step. */
function getIdentifierFirst(
  failedForm: FailedForm | null,
  { signInPage: { identifierFirst = null } }: Config
): Pick<SignInContent, 'identifierFirst'> {
  return identifierFirst ? { identifierFirst: { ...identifierFirst, identifier: failedForm?.identifier || null } } : {}
}

/** What the page shows to a user who has to authenticate again: it is known who that is, and that they have an account. */
function toStepUp(
  { backUrl, mustRepeat }: StepUp,
  { choices, mail }: StepUpOptions,
  { signInPage: { links = [] } }: Config
): Pick<SignInContent, 'choices' | 'identifierFirst' | 'links' | 'stepUp'> {
  const isOf = (methods: readonly string[]): boolean => choices.some(({ id }) => methods.includes(id))
  return {
    choices,
    identifierFirst: null,
    links: links.filter(
      ({ purpose, methods = [] }) => purpose !== 'sign-up' && (purpose !== 'recovery' || isOf(methods))
    ),
    stepUp: { mustRepeat, mail, backUrl }
  }
}

/** What the application's own sign-in page gets in its query. */
function getExplanation(request: AuthRequest, stepUp: StepUp | null): Readonly<Record<string, string>> {
  const reason = getText(request.query, 'reason')
  const code = getText(request.query, 'error') ?? (stepUp ? 'VerificationRequired' : null)
  return { ...(code ? { error: code } : {}), ...(reason ? { reason } : {}), ...referenceParameter(request) }
}

/**
 * The sign-in page.
 *
 * @param stepUp - The signed-in user who has to authenticate again, or `null`.
 * @param shown - Replaces what the request states.
 */
export async function signInPage(
  request: AuthRequest,
  stepUp: StepUp | null,
  config: Config,
  shown: Partial<SignInContent> = {}
): Promise<ActionResult> {
  const { callbackUrl, cookies } = await config.redirects.resolve(request)
  const given = getText(request.query, 'error')
  const error = parseErrorCode(given)
  const flash = error === null ? null : await config.signInFlash.read(request.cookies)
  const flashCookies = flash ? config.signInFlash.clear() : noCookies
  const isSignedOut = flash?.kind === 'signed-out' && error === 'SessionRequired'
  if (config.pages.signIn) {
    const explained = isSignedOut ? {} : getExplanation(request, stepUp)
    const url = withQuery(config.pages.signIn, { callbackUrl, ...explained }, config.origin)
    return redirect(url, joinCookies(cookies, flashCookies))
  }
  const { token, cookies: csrfCookies } = await config.csrf.readOrIssue(request.cookies)
  const signedIn = await readSignedIn(request, config)
  const isOver = signedIn === null && hasSessionCookie(request, config)
  const isExpired = isOver && !isSignedOut && (error === null || error === 'SessionRequired')
  const ways = stepUp && (await (await loadStepUpOptions()).findStepUpOptions(stepUp, request, config))
  const isShown = (option: SignInOption): boolean => shown.choices?.includes(option) ?? true
  const failedForm = getFailedForm(flash, getText(request.query, 'ref'))
  const content: SignInContent = {
    name: 'signin',
    csrfToken: token,
    callbackUrl,
    choices: config.signInOptions,
    user: signedIn === 'unknown' ? null : signedIn,
    signOutUrl: stepUp || error !== null ? null : `${config.basePath}/signout`,
    lastUsed: readLastMethod(request.cookies, config),
    ...config.signInPage,
    ...getIdentifierFirst(failedForm, config),
    error,
    ownCode: ownCode(given),
    explanation: config.features.errors.get(given ?? '')?.explanation ?? null,
    reason: isSignedOut
      ? 'signed-out'
      : (parseReason(error, getText(request.query, 'reason')) ?? (isExpired ? 'session-expired' : null)),
    failedForm,
    ref: error === null || error === 'SessionRequired' ? null : getErrorReference(request, error, config),
    ...shown,
    ...(stepUp && ways ? toStepUp(stepUp, { ...ways, choices: ways.choices.filter(isShown) }, config) : {})
  }
  return page(content, joinCookies(cookies, csrfCookies, flashCookies))
}

/** Shows the page for an error code, or redirects to the sign-in page if the code belongs to it. */
export const showError: Run = async (request, config) => {
  const given = getText(request.query, 'error')
  const code = given ? knownCode(given) : null
  const own = config.features.errors.get(given ?? '')
  const signInCode = own?.screen === 'signin' ? given : code && isSignInCode(code) ? code : null
  const passed = referenceParameter(request)
  if (signInCode) return redirect(withQuery(`${config.base}/signin`, { error: signInCode, ...passed }, config.origin))
  if (config.pages.error)
    return redirect(withQuery(config.pages.error, { error: given ?? 'undefined', ...passed }, config.origin))
  const screen = screenCode(given ?? '')
  const user = screen === 'Verification' ? await config.sessionReader.readUser(request.cookies) : null
  if (user) return usedLinkPage(user, request, config)
  const ref = getErrorReference(request, screen, config)
  const status = own?.status ?? (screen === 'Default' ? 200 : errorCodes[screen].status)
  // The sign-in page checks the URL.
  const callbackUrl = screen === 'PermissionRequired' ? getText(request.query, 'callbackUrl') : null
  return errorPage(
    { error: screen, ownCode: ownCode(given), explanation: own?.explanation ?? null, status, ref, callbackUrl },
    config
  )
}

/** Tells a signed-in user that a link is no longer needed: often it is the one that signed them in. */
async function usedLinkPage(
  { name, email }: Pick<User, 'name' | 'email'>,
  request: AuthRequest,
  { redirects }: Config
): Promise<ActionResult> {
  const { callbackUrl, cookies } = await redirects.resolve(request)
  return page({ name: 'used-link', user: { name: name ?? null, email: email ?? null }, callbackUrl }, cookies)
}

/** Shows the "Check your email" page, with a field for the code if this browser requested it. */
export const showVerifyRequest: Run = async (request, config) => {
  const id = getText(request.query, 'provider') ?? ''
  const isStepUp = id === confirmationProviderId
  if (config.pages.verifyRequest && !isStepUp) return redirect(new URL(config.pages.verifyRequest, config.origin).href)
  const { identifier, hasLink, acceptsCode } = await readSentMail(id, request, config)
  if (identifier === null)
    return page({ name: 'verify-request', identifier, link: hasLink, code: null, resend: null, ref: null })
  const { token: csrfToken, cookies } = await config.csrf.readOrIssue(request.cookies)
  const provider = config.providers.get(id)
  // Another mail needs another answer of the captcha: the user asks on the sign-in page.
  const isAskedHere = provider !== undefined && !(provider.kind === 'email' && provider.captcha)
  const resend = isAskedHere ? { action: signinUrlAt(config.basePath, id), csrfToken } : null
  const common = { name: 'verify-request', identifier, link: hasLink, resend, isStepUp } as const
  if (!acceptsCode) return page({ ...common, code: null, ref: null }, cookies)
  const error = getText(request.query, 'error')
  const ref = error === 'code' || error === 'spent' ? getErrorReference(request, 'Verification', config) : null
  if (error === 'spent') return page({ ...common, code: null, isSpent: true, ref }, cookies)
  const wrong = error === 'code'
  const triesLeft = wrong ? parseTriesLeft(request, config) : null
  const length = config.constants.codeLength
  const code = { action: redirectUriAt(config.basePath, id), csrfToken, length, wrong, triesLeft }
  return page({ ...common, code, ref }, cookies)
}

/** The page states how many tries are left if there are no more than this. */
const maxTriesLeft = 2

/** @returns The number of tries that are left, if there are few; the server counts them on its own. */
function parseTriesLeft({ query }: AuthRequest, { constants }: Config): number | null {
  const left = Number(getText(query, 'left') ?? '')
  const isFew = Number.isInteger(left) && left >= 1 && left <= maxTriesLeft
  return isFew && left < constants.maxCodeTries ? left : null
}

/** Shows the welcome page for new users, if the application enabled it. */
export const showWelcome: Run = async (request, config) => {
  if (config.pages.newUser !== true) return text('Error: there is no welcome page', 404)
  const { callbackUrl, cookies } = await config.redirects.resolve(request)
  const signedIn = await config.sessionReader.readUser(request.cookies)
  return page({ name: 'welcome', user: signedIn?.name ?? signedIn?.email ?? null, callbackUrl }, cookies)
}

/** Sends an asset of the pages. Its name changes with its content. */
export const sendAsset: Run = async ({ path }, { features, renderContext: { renderer, pageContext } }) => {
  const name = path.split('/')[2] ?? ''
  const found = features.assets.get(name) ?? renderer.asset?.(name, pageContext)
  return found ? asset(found) : text('Error: there is no such file', 404)
}
