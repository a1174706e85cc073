import { noCookies, setCookie } from '../cookies/set-cookies.ts'
import { describeKind } from '../errors/user-code.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Fields, getText } from '../http/body.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'

/** What decides whether a callback URL is allowed. */
export interface RedirectDeps {
  readonly origin: string
  /** Where users go without a callback URL: the origin, or the path below it that a proxy removes. */
  readonly home: string
  readonly basePath: string
  /** Whether a path below the base path is a page of a feature that a sign-in may return to, such as `/account`. */
  readonly isFeaturePage: (path: string) => boolean
  readonly redirect: Hooks['redirect']
  /** Whether the application defined the `redirect` callback, so that it must be called on every request. */
  readonly isOwn: boolean
  readonly cookie: CookieSetting
  /** Characters. */
  readonly maxLength: number
  readonly logger: Logger
}

/** The callback URL, and the cookie that stores it. */
export interface ResolvedCallbackUrl {
  readonly callbackUrl: string
  readonly cookies: SetCookies
}

/** @returns The URL as a browser parses it, or `null` if it is not http(s), too long or invalid. */
function parsed(url: string, { origin, maxLength }: RedirectDeps): URL | null {
  if (url.length > maxLength || !URL.canParse(url, origin)) return null
  const target = new URL(url, origin)
  const isPlain = target.protocol === 'https:' || target.protocol === 'http:'
  // The cookie stores the URL in its serialized form: one character may become nine.
  const isShort = target.href.length <= maxLength
  return isPlain && isShort && target.username === '' && target.password === '' ? target : null
}

/** Rejects callback URLs that lead back to a sign-in route, which would cause a loop. */
function isOwnRoute(
  { origin: targetOrigin, pathname }: URL,
  { origin, basePath, isFeaturePage }: RedirectDeps
): boolean {
  if (targetOrigin !== origin) return false
  if (pathname === basePath) return true
  return pathname.startsWith(`${basePath}/`) && !isFeaturePage(pathname.slice(basePath.length))
}

/**
 * Returns the allowed form of a requested URL, after calling the `redirect` callback.
 *
 * A URL that is invalid, or leads to another origin without the callback's permission, becomes the default.
 */
export async function safeUrl(requested: string, deps: RedirectDeps): Promise<string> {
  const { origin, home, redirect, logger } = deps
  const target = parsed(requested, deps)
  if (!target || isOwnRoute(target, deps)) return home
  // A path is passed to the callback unchanged, as in v4; `//other.example` starts like a path but is not one.
  const isPath = requested.startsWith('/') && target.origin === origin
  try {
    const result: unknown = await redirect({ url: isPath ? requested : target.href, baseUrl: origin })
    const allowed = typeof result === 'string' ? parsed(result, deps) : null
    if (!allowed) {
      logger.error(
        'REDIRECT_CALLBACK_ERROR',
        `callbacks.redirect returned ${describeKind(result)} that is no http(s) address`
      )
      return home
    }
    return allowed.pathname === '/' && !allowed.search && !allowed.hash ? allowed.origin : allowed.href
  } catch (error) {
    logger.error('REDIRECT_CALLBACK_ERROR', error)
    return home
  }
}

/** The parts of a request that may contain a callback URL. */
interface CallbackUrlSource {
  readonly body: Fields
  readonly query: Fields
  readonly cookies: RequestCookies
}

/** Resolves the callback URL from body, query or cookie, in this order. It is validated whatever its source. */
export async function resolveCallbackUrl(
  { body, query, cookies }: CallbackUrlSource,
  deps: RedirectDeps
): Promise<ResolvedCallbackUrl> {
  const remembered = cookies.get(deps.cookie.name) ?? null
  const requested = getText(body, 'callbackUrl') ?? getText(query, 'callbackUrl') ?? remembered
  const callbackUrl = requested ? await safeUrl(requested, deps) : deps.home
  const isKnown = callbackUrl === remembered || (remembered === null && callbackUrl === deps.home)
  const due = isKnown ? noCookies : setCookie(deps.cookie.name, callbackUrl, deps.cookie.options, null)
  return { callbackUrl, cookies: due }
}

/**
 * Calls the application's `redirect` callback for a request that does not redirect, and updates the cookie.
 *
 * next-auth v4 calls it on every request with a `callbackUrl`; applications rely on it to track the current page.
 */
export async function refreshCallbackUrlCookie(request: CallbackUrlSource, deps: RedirectDeps): Promise<SetCookies> {
  const { cookies } = await resolveCallbackUrl(request, deps)
  return request.cookies.has(deps.cookie.name) ? cookies : noCookies
}
