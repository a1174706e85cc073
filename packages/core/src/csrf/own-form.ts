import { getText } from '../http/body.ts'
import { type AuthRequest, getHeader } from '../http/request.ts'
import { chain, type MaybePromise } from '../model/awaitable.ts'
import { toDisplayText } from '../model/display-text.ts'
import type { Logger } from '../model/logger.ts'
import { equalInConstantTime } from '../tokens/hash.ts'
import type { CsrfTokens } from './csrf-token.ts'

/** The application as its forms name it. */
interface FormSite {
  readonly csrf: CsrfTokens
  readonly origin: string
  /** Other origins of its forms. */
  readonly allowedOrigins: readonly string[]
  readonly logger: Logger
}

/** The maximum length of an address that a client chooses. */
const maxOriginLength = 200

/** The sites that were warned about. */
const warned = new WeakSet<object>()

/**
 * Logs, once, that browsers open the application at another origin than `url`, such as that of a development server which
 * passes requests on: providers return to `url`, and passkeys do not work.
 */
function warnOfOtherUrl(request: AuthRequest, { csrf, origin, allowedOrigins, logger }: FormSite): void {
  const sender = getHeader(request, 'origin')
  const isSamePage = getHeader(request, 'sec-fetch-site') === 'same-origin'
  if (!isSamePage || sender === null || sender === 'null' || [origin, ...allowedOrigins].includes(sender)) return
  if (warned.has(csrf)) return
  warned.add(csrf)
  const shown = toDisplayText(sender.slice(0, maxOriginLength))
  logger.warn(
    'URL_MISMATCH',
    `browsers open the application at ${shown}, but url is ${origin}: sign-ins return there, and passkeys are refused; set url to the address in the browser`
  )
}

/**
 * Whether the form is one of the application's: its token, in a field or in the header `x-csrf-token`, matches the cookie, and the
 * headers name an allowed origin.
 */
export function isOwnForm(request: AuthRequest, site: FormSite): MaybePromise<boolean> {
  const { csrf, origin, allowedOrigins } = site
  if (!isOwnOrigin(request, [origin, ...allowedOrigins])) return false
  warnOfOtherUrl(request, site)
  const given = getText(request.body, 'csrfToken') ?? getHeader(request, 'x-csrf-token')
  if (given === null) return false
  const isExpected = (token: string | null): boolean => token !== null && equalInConstantTime(given, token)
  return chain(csrf.read(request.cookies), isExpected)
}

/** @returns Why a form is not one of the application's, with what to check. */
function explain(request: AuthRequest, { csrf, origin, allowedOrigins }: FormSite): string {
  if (!isOwnOrigin(request, [origin, ...allowedOrigins])) {
    const sender = getHeader(request, 'origin')
    // A page without a referrer sends no origin to any site (Fetch §3.2), as a sandboxed frame of another site does.
    if (sender === 'null')
      return `the form was sent with Origin: null, so that it may be of another site; if it is yours, its page has Referrer-Policy: no-referrer, which is the default of helmet: send Referrer-Policy: strict-origin with the page`
    const from = sender === null ? 'another site' : toDisplayText(sender.slice(0, maxOriginLength))
    return `the form was sent from ${from}, and the application is at ${origin}; check url, or add the other one to allowedOrigins`
  }
  return request.cookies.has(csrf.cookie.name)
    ? 'the token of the form is not that of the cookie; was the page open while the user signed in or out elsewhere?'
    : `the request has no CSRF cookie; do browsers open the application at ${origin}, and accept its cookies?`
}

/** Logs why a form was refused: the user sees the same page again. */
export function logRefusedForm(request: AuthRequest, site: FormSite): void {
  site.logger.warn('CSRF_TOKEN_INVALID', { ref: request.id, message: explain(request, site) })
}

/**
 * Decides by its headers whether a request comes from the application's own pages.
 *
 * `Sec-Fetch-Site` decides if it is sent, else `Origin`; without either, the CSRF token alone decides.
 *
 * @param allowed - The application's origin first, then the allowed origins.
 */
export function isOwnOrigin(request: Pick<AuthRequest, 'headers'>, allowed: readonly string[]): boolean {
  const origin = getHeader(request, 'origin')
  const site = getHeader(request, 'sec-fetch-site')
  const [, ...listed] = allowed
  if (site !== null) return site === 'same-origin' || site === 'none' || (origin !== null && listed.includes(origin))
  return origin === null || allowed.includes(origin)
}
