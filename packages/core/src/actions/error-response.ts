import { OtherUserError } from '../accounts/other-user.ts'
import type { Config } from '../config/config.ts'
import { pageCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { knownCode } from '../errors/error-codes.ts'
import { describe } from '../errors/serialize-error.ts'
import { json, type Outcome, page, redirect } from '../http/action-result.ts'
import { type AuthRequest, wantsJson } from '../http/request.ts'
import type { Page, ScreenCode } from '../model/page.ts'
import { destination } from '../redirects/callback-url.ts'
import { signinUrlAt } from '../redirects/redirect-uri.ts'

/** Failures that happen every day, and that nobody has to mend. */
const ordinary = new Set([
  'CredentialsSignin',
  'AccessDenied',
  'Verification',
  'RateLimited',
  'OAuthAccountNotLinked',
  'SessionRequired'
])

/** next-auth v4's log codes, where it has one. */
const logCodes: Readonly<Record<string, string>> = {
  OAuthSignin: 'SIGNIN_OAUTH_ERROR',
  EmailSignin: 'SIGNIN_EMAIL_ERROR',
  OAuthCallback: 'OAUTH_CALLBACK_ERROR',
  OAuthCreateAccount: 'OAUTH_CALLBACK_HANDLER_ERROR',
  EmailCreateAccount: 'CALLBACK_EMAIL_ERROR',
  Verification: 'CALLBACK_EMAIL_ERROR'
}

/** @returns The address with these parameters added, absolute. */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>, origin: string): string {
  const url = new URL(address, origin)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function log(error: unknown, { id }: AuthRequest, { logger }: Config): void {
  const code = error instanceof AuthError ? error.code : 'Callback'
  const isOrdinary =
    error instanceof AuthError &&
    (ordinary.has(error.code) || error.reason === 'cancelled' || knownCode(error.code) === null)
  const metadata = { ref: id, error: code, ...describe(error) }
  const name =
    logCodes[code] ??
    (knownCode(code) ? `${code.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()}_ERROR` : 'SIGNIN_REFUSED')
  if (isOrdinary) logger.warn(name, metadata)
  else logger.error(name, metadata)
}

/** @returns The screen code that the error page has a text for. */
export function screenCode(text: string): ScreenCode {
  const code = knownCode(text)
  const explained: readonly ScreenCode[] = [
    'Configuration',
    'AccessDenied',
    'Verification',
    'RateLimited',
    'StoreUnavailable'
  ]
  return explained.find((known) => known === code) ?? 'Default'
}

/** What the error page explains. */
interface Explained {
  readonly error: ScreenCode
  readonly ownCode?: string | null
  readonly status: number
  readonly retryAfter?: number | null
  readonly ref: string
}

/** The error page itself, with the status of its code. */
export function errorPage(
  { error, ownCode = null, status, retryAfter = null, ref }: Explained,
  { base }: Config
): Outcome {
  const content: Page = { name: 'error', error, ownCode, signInUrl: `${base}/signin`, retryAfter, ref }
  return { ...page(content, new Map(), status), ...(retryAfter === null ? {} : { retryAfter }) }
}

async function otherUserPage(
  { current, cookies }: OtherUserError,
  request: AuthRequest,
  config: Config
): Promise<Outcome> {
  const id = request.path.split('/')[2] ?? ''
  const { token: csrfToken, cookies: csrfCookies } = await pageCsrfToken(request.cookies, config.csrf)
  const { callbackUrl } = await destination({ ...request, body: {}, query: {} }, config.redirects)
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

/** A failure that goes away by itself is shown where it happened, with its status, so that a reload tries again. */
const isPassing = (code: string): boolean => code === 'RateLimited' || code === 'StoreUnavailable'

/** What a script is told: the code, and the id that is in the log too. */
export function scriptFailure(error: unknown, request: AuthRequest, config: Config): Outcome {
  log(error, request, config)
  const { code, entry } = error instanceof AuthError ? error : new AuthError('Callback', 'unexpected', { status: 500 })
  return json({ error: code, ref: request.id }, new Map(), entry.status)
}

/** Turns anything that was thrown into what the visitor meets: which screen, which code, which status. */
export async function failure(error: unknown, request: AuthRequest, config: Config): Promise<Outcome> {
  log(error, request, config)
  if (error instanceof OtherUserError && !config.pages.signIn && !wantsJson(request))
    return otherUserPage(error, request, config)
  const { base, pages, origin } = config
  const known = error instanceof AuthError ? error : new AuthError('Callback', 'unexpected', { cause: error })
  const { code, entry, reason, cookies, retryAfter } = known
  if (isPassing(code) && !pages.error && !wantsJson(request)) {
    const explained = { error: screenCode(code), status: entry.status, retryAfter, ref: request.id }
    return { ...errorPage(explained, config), cookies }
  }
  const parameters = { error: code, ...(reason ? { reason } : {}), ref: request.id }
  const screen = entry.screen === 'signin' ? `${base}/signin` : (pages.error ?? `${base}/error`)
  const outcome = redirect(withQuery(screen, parameters, origin), cookies, entry.status)
  return retryAfter === null ? outcome : { ...outcome, retryAfter }
}
