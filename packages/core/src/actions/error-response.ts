import { LinkConfirmation, SessionConflictError } from '../accounts/sign-in-errors.ts'
import type { Config } from '../config/config.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError, type ErrorReason } from '../errors/auth-error.ts'
import { type ErrorCode, knownCode } from '../errors/error-codes.ts'
import { toLogMetadata } from '../errors/serialize-error.ts'
import { describeAccount } from '../features/confirm-link.ts'
import { type ActionResult, json, page, redirect, text } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, acceptsPage, wantsJson } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { ByLanguage, CodeExplanation } from '../model/feature-page.ts'
import type { Page, ScreenCode, SignInCode } from '../model/page.ts'
import type { SignInForm } from '../model/provider-traits.ts'
import { getLinkValue } from '../oauth/link-request.ts'
import { signinUrlAt } from '../redirects/redirect-uri.ts'

/** Codes of expected failures, which require no action by the operator. */
const expectedCodes = new Set([
  'CredentialsSignin',
  'AccessDenied',
  'Verification',
  'ImpersonationForbidden',
  'UserSuspended',
  'RateLimited',
  'OAuthAccountNotLinked',
  'SessionRequired'
])

/** next-auth v4's log codes, for the codes that have one. */
const logCodes: Readonly<Record<string, string>> = {
  OAuthSignin: 'SIGNIN_OAUTH_ERROR',
  EmailSignin: 'SIGNIN_EMAIL_ERROR',
  OAuthCallback: 'OAUTH_CALLBACK_ERROR',
  OAuthCreateAccount: 'OAUTH_CALLBACK_HANDLER_ERROR',
  EmailCreateAccount: 'CALLBACK_EMAIL_ERROR',
  Verification: 'CALLBACK_EMAIL_ERROR'
}

/** @returns The absolute URL with these query parameters added. */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>, origin: string): string {
  const url = new URL(address, origin)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The user typed an address that cannot be used. */
const isInvalidAddress = (reason: ErrorReason | null): boolean => reason === 'invalid' || reason === 'non-ascii'

const isExpectedReason = (reason: ErrorReason | null): boolean =>
  reason === 'cancelled' || reason === 'captcha' || isInvalidAddress(reason)

function log(error: unknown, { id, path }: AuthRequest, { logger, providers }: Config): void {
  const code = error instanceof AuthError ? error.code : 'Callback'
  const isOrdinary =
    error instanceof AuthError &&
    (expectedCodes.has(error.code) || isExpectedReason(error.reason) || knownCode(error.code) === null)
  const providerId = providers.get(path.split('/')[2] ?? '')?.id ?? null
  const metadata = toLogMetadata(error, { errorCode: code, ref: id, providerId })
  const name =
    logCodes[code] ??
    (knownCode(code) ? `${code.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()}_ERROR` : 'SIGNIN_REFUSED')
  if (isOrdinary) logger.warn(name, metadata)
  else logger.error(name, metadata)
}

/** @returns The screen code that the error page has a text for. */
export function screenCode(text: string): ScreenCode {
  const code = knownCode(text)
  // Only the operator can correct it: the log says which claim is too large.
  if (code === 'SessionTooLarge') return 'Configuration'
  const explained: readonly ScreenCode[] = [
    'Configuration',
    'AccessDenied',
    'PermissionRequired',
    'Verification',
    'ImpersonationForbidden',
    'UserSuspended',
    'RateLimited',
    'StoreConflict',
    'UserReferenced',
    'StoreUnavailable',
    'NotFound'
  ]
  return explained.find((known) => known === code) ?? 'Default'
}

/**
 * The form of request ids, which frameworks count or generate randomly. Words do not match, so a link cannot put text
 * on the page.
 */
const referenceShape = /^([0-9a-f]{6}-)?(req-)?[0-9a-z]{1,7}$|^[0-9a-f-]{8,64}$/

/** @returns The id in the redirect of the failed request, or `null` if the query has none of the form of an id. */
export function readReference({ query }: Pick<AuthRequest, 'query'>): string | null {
  const given = getText(query, 'ref')
  return given !== null && referenceShape.test(given) ? given : null
}

/**
 * Returns the id on an error page: the one in the redirect of the failed request, if it has the form of an id. A page
 * without it shows the id of its own request and logs it, so the log contains either id.
 */
export function getErrorReference(
  request: AuthRequest,
  error: ScreenCode | SignInCode,
  { features, logger }: Config
): string {
  const given = readReference(request)
  if (given !== null) return given
  const code = getText(request.query, 'error') ?? ''
  logger.warn('ERROR_PAGE', { ref: request.id, error: features.errors.has(code) ? code : error })
  return request.id
}

/** The content of the error page. */
interface Explained {
  readonly error: ScreenCode
  readonly ownCode?: string | null
  readonly explanation?: ByLanguage<CodeExplanation> | null
  readonly status: number
  readonly retryAfter?: number | null
  readonly ref: string
  /** Where the sign-in page returns to. @defaultValue its default */
  readonly callbackUrl?: string | null
}

/** Creates the error page, with the status of its code. */
export function errorPage(
  { error, ownCode = null, explanation = null, status, retryAfter = null, ref, callbackUrl = null }: Explained,
  { base }: Config
): ActionResult {
  const signInUrl = `${base}/signin${callbackUrl === null ? '' : `?${new URLSearchParams({ callbackUrl })}`}`
  const content: Page = { name: 'error', error, ownCode, explanation, signInUrl, retryAfter, ref }
  return { ...page(content, new Map(), status), ...(retryAfter === null ? {} : { retryAfter }) }
}

async function sessionConflictPage(
  { provider: id, current, cookies }: SessionConflictError,
  request: AuthRequest,
  config: Config
): Promise<ActionResult> {
  const { token: csrfToken, cookies: csrfCookies } = await config.csrf.readOrIssue(request.cookies)
  const { callbackUrl } = await config.redirects.resolve({ ...request, body: {}, query: {} })
  const content: Page = {
    name: 'other-user',
    provider: config.providers.get(id)?.name ?? id,
    user: { name: current.name, email: current.email },
    action: signinUrlAt(config.basePath, id),
    csrfToken,
    callbackUrl,
    ref: request.id
  }
  return page(content, new Map([...cookies, ...csrfCookies]), 409)
}

/** Asks a signed-in user whether an account at a provider is to be linked. @param account - `null` if it is unknown. */
export async function linkConfirmationPage(
  providerId: string,
  { account, user, link }: Pick<Extract<Page, { name: 'confirm-link' }>, 'account' | 'user' | 'link'>,
  request: AuthRequest,
  { csrf, redirects, providers, basePath }: Config
): Promise<ActionResult> {
  const { token: csrfToken, cookies } = await csrf.readOrIssue(request.cookies)
  const source = account ? { ...request, body: {}, query: {} } : request
  const { callbackUrl } = await redirects.resolve(source)
  const content: Page = {
    name: 'confirm-link',
    provider: providers.get(providerId)?.name ?? providerId,
    account,
    user,
    action: signinUrlAt(basePath, providerId),
    csrfToken,
    callbackUrl,
    link
  }
  return page(content, cookies, account ? 409 : 200)
}

/** The codes that are shown at the URL of the request with their status, so that a reload repeats what may succeed later. */
const shownInPlace: ReadonlySet<string> = new Set<ErrorCode>([
  'RateLimited',
  'StoreConflict',
  'StoreUnavailable',
  'UserReferenced',
  'ImpersonationForbidden'
])

/** The JSON response of an error: the code, and the id that is in the log. */
export function jsonErrorResponse(error: unknown, request: AuthRequest, config: Config): ActionResult {
  log(error, request, config)
  const { code, entry } = error instanceof AuthError ? error : new AuthError('Callback', 'unexpected', { status: 500 })
  const { status } = config.features.errors.get(code) ?? entry
  return json({ error: code, ref: request.id }, new Map(), status)
}

/** The query of the page that offers another mail: no more codes of the last one are accepted. */
function spentMail(
  { id, path }: Pick<AuthRequest, 'id' | 'path'>,
  { providers }: Config
): Readonly<Record<string, string>> {
  const provider = providers.get(path.split('/')[2] ?? '')
  return { provider: provider?.id ?? '', type: provider?.type ?? '', error: 'spent', ref: id }
}

/** Longer texts are not kept, because a cookie must stay small. An email address has at most 254 characters. */
const maxKeptLength = 320

/** @returns The name of the field with the username or address; `null` if there is none that may be shown again. */
function getIdentifierField(form: SignInForm): string | null {
  if (form.type !== 'credentials') return form.type === 'email' ? 'email' : null
  const field = form.fields.find(({ name }) => name === form.identifier)
  return field && !['password', 'hidden'].includes(field.type.toLowerCase()) ? field.name : null
}

/**
 * Keeps what the user typed into a form of the sign-in page that failed, for that page to show it again.
 *
 * @returns The cookie to set; nothing if the request is not such a form, or if Postern does not render its page.
 */
async function keepFailedForm(request: AuthRequest, { pages, providers, signInFlash }: Config): Promise<SetCookies> {
  const [, action, providerId = ''] = request.path.split('/')
  const provider = providers.get(providerId)
  if (request.method !== 'POST' || wantsJson(request) || pages.signIn || !provider) return noCookies
  const { form, startsAtCallback } = provider.traits
  if (form.type === 'oauth' || action !== (startsAtCallback ? 'callback' : 'signin')) return noCookies
  const field = getIdentifierField(form)
  const typed = field === null ? '' : (getText(request.body, field) ?? '')
  const identifier = typed.length > maxKeptLength ? '' : typed
  return signInFlash.create({ kind: 'failed-form', providerId, identifier, ref: request.id })
}

/** Converts an error to a response: it selects the screen, the code and the status. */
export async function errorResponse(error: unknown, request: AuthRequest, config: Config): Promise<ActionResult> {
  log(error, request, config)
  if (error instanceof SessionConflictError && !config.pages.signIn && !wantsJson(request))
    return sessionConflictPage(error, request, config)
  // The store has no tickets: the form of the page starts another sign-in, for this account only.
  if (error instanceof LinkConfirmation && !wantsJson(request)) {
    const { identity, current, cookies } = error
    const { account: proven, user } = identity
    const shown = {
      account: describeAccount(proven, user),
      user: { name: current.name, email: current.email },
      link: await getLinkValue(proven)
    }
    const result = await linkConfirmationPage(proven.provider, shown, request, config)
    return { ...result, cookies: joinCookies(cookies, result.cookies) }
  }
  const { base, pages, origin, features } = config
  const known = error instanceof AuthError ? error : new AuthError('Callback', 'unexpected', { cause: error })
  const { code, entry, reason, cookies, retryAfter, credentialsCode } = known
  if (shownInPlace.has(code) && !pages.error && !wantsJson(request)) {
    const explained = { error: screenCode(code), status: entry.status, retryAfter, ref: request.id }
    return { ...errorPage(explained, config), cookies }
  }
  // next-auth's client gets next-auth's URL for an invalid address, and for a code that was wrong too often.
  const isShown = reason !== null && reason !== 'spent' && !(isInvalidAddress(reason) && wantsJson(request))
  const parameters = {
    error: code,
    ...(credentialsCode ? { code: credentialsCode } : {}),
    ...(isShown ? { reason } : {}),
    ref: request.id
  }
  const { screen, status } = features.errors.get(code) ?? entry
  if (reason === 'spent' && !pages.error && !pages.verifyRequest && !wantsJson(request))
    return redirect(withQuery(`${base}/verify-request`, spentMail(request, config), origin), cookies, status)
  const url = screen === 'signin' ? `${base}/signin` : (pages.error ?? `${base}/error`)
  const failedForm = screen === 'signin' ? await keepFailedForm(request, config) : noCookies
  const outcome = redirect(withQuery(url, parameters, origin), joinCookies(cookies, failedForm), status)
  return retryAfter === null ? outcome : { ...outcome, retryAfter }
}

/** The error page for browsers, unless the application has its own; other clients get the text. */
function notFound(request: AuthRequest, config: Config, plain: ActionResult): ActionResult {
  if (!acceptsPage(request) || config.pages.error) return plain
  return errorPage({ error: 'NotFound', status: 404, ref: getErrorReference(request, 'NotFound', config) }, config)
}

/** The response to a path that names an unknown provider. */
export function unknownProvider(request: AuthRequest, config: Config): ActionResult {
  return notFound(request, config, text('Error: there is no such provider', 404))
}

/** The response to an unknown action, and to a method that an action does not have: the text is next-auth's. */
export function unknownAction(request: AuthRequest, config: Config): ActionResult {
  const method = request.method.replaceAll(/[^A-Z]/gi, '')
  return notFound(request, config, text(`Error: This action with HTTP ${method} is not supported`, 400))
}
