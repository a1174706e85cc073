import { noCookies, setCookie } from '../cookies/set-cookies.ts'
import { kindOf } from '../errors/user-code.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Fields, textOf } from '../http/body.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'

/** What decides where a visitor may be sent. */
export interface RedirectRules {
  readonly origin: string
  readonly basePath: string
  readonly redirect: Hooks['redirect']
  /** Whether the callback is the application's own, so that somebody hears of being asked. */
  readonly isOwn: boolean
  readonly cookie: CookieSetting
  /** Characters. */
  readonly longest: number
  readonly logger: Logger
}

/** Where the visitor goes afterwards, and the cookie that remembers it. */
export interface Destination {
  readonly callbackUrl: string
  readonly cookies: SetCookies
}

/** @returns The URL as the browser will read it, or `null` for what is not http(s), too long or no URL. */
function parsed(url: string, { origin, longest }: RedirectRules): URL | null {
  if (url.length > longest || !URL.canParse(url, origin)) return null
  const target = new URL(url, origin)
  const isPlain = target.protocol === 'https:' || target.protocol === 'http:'
  // What is remembered is the address as the parser writes it: one character may become nine.
  const isShort = target.href.length <= longest
  return isPlain && isShort && target.username === '' && target.password === '' ? target : null
}

/** The visitor never goes back into the sign-in itself: that would be a circle. */
function isOwnRoute(target: URL, { origin, basePath }: RedirectRules): boolean {
  return target.origin === origin && (target.pathname === basePath || target.pathname.startsWith(`${basePath}/`))
}

/**
 * The address that a wish stands for, once the `redirect` callback has had its say.
 *
 * Anything that cannot be parsed, or leads elsewhere without the callback's leave, means the default: our origin.
 */
export async function safeUrl(wish: string, rules: RedirectRules): Promise<string> {
  const { origin, redirect, logger } = rules
  const target = parsed(wish, rules)
  if (!target || isOwnRoute(target, rules)) return origin
  // A path is handed over as it came, as in v4; `//other.example` begins like a path and is none.
  const isPath = wish.startsWith('/') && target.origin === origin
  try {
    const answer: unknown = await redirect({ url: isPath ? wish : target.href, baseUrl: origin })
    const allowed = typeof answer === 'string' ? parsed(answer, rules) : null
    if (!allowed) {
      logger.error(
        'REDIRECT_CALLBACK_ERROR',
        `callbacks.redirect returned ${kindOf(answer)} that is no http(s) address`
      )
      return origin
    }
    return allowed.pathname === '/' && !allowed.search && !allowed.hash ? allowed.origin : allowed.href
  } catch (error) {
    logger.error('REDIRECT_CALLBACK_ERROR', error)
    return origin
  }
}

/** What a request brings that may name a wish. */
interface Wishing {
  readonly body: Fields
  readonly query: Fields
  readonly cookies: RequestCookies
}

/** The wish of a request: body, then query, then what the cookie remembers. It is checked whatever it comes from. */
export async function destination({ body, query, cookies }: Wishing, rules: RedirectRules): Promise<Destination> {
  const remembered = cookies.get(rules.cookie.name) ?? null
  const wish = textOf(body, 'callbackUrl') ?? textOf(query, 'callbackUrl') ?? remembered
  const callbackUrl = wish ? await safeUrl(wish, rules) : rules.origin
  const isKnown = callbackUrl === remembered || (remembered === null && callbackUrl === rules.origin)
  const due = isKnown ? new Map() : setCookie(rules.cookie.name, callbackUrl, rules.cookie.options, null)
  return { callbackUrl, cookies: due }
}

/**
 * Asks the application's `redirect` callback about the wish of a request that goes nowhere, and mends the cookie.
 *
 * next-auth v4 asks on every request that brings a `callbackUrl`; applications count on it, to note where visitors are.
 */
export async function reconsider(request: Wishing, rules: RedirectRules): Promise<SetCookies> {
  const { cookies } = await destination(request, rules)
  return request.cookies.has(rules.cookie.name) ? cookies : noCookies
}
