import { noCookies, setCookie } from '../cookies/set-cookies.ts'
import { describeKind } from '../errors/user-code.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Fields, getText } from '../http/body.ts'
import { chain, type MaybePromise } from '../model/awaitable.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'

/** Where users of an origin may go. */
export interface CallbackUrlSettings {
  readonly origin: string
  /** Where users go without a callback URL: the origin, or the path below it that a proxy removes. */
  readonly home: string
  readonly basePath: string
  readonly cookie: CookieSetting
  /** Characters. */
  readonly maxLength: number
}

/** The callback URL, and the cookie that stores it. */
export interface ResolvedCallbackUrl {
  readonly callbackUrl: string
  readonly cookies: SetCookies
}

/** The parts of a request that may contain a callback URL. */
interface CallbackUrlSource {
  readonly body: Fields
  readonly query: Fields
  readonly cookies: RequestCookies
}

/** The URL of a page; that of the home page has no slash at its end. */
const toText = ({ origin, pathname, search, hash, href }: URL): string =>
  pathname === '/' && !search && !hash ? origin : href

/** The callback URLs of an origin: those that the `redirect` callback of the application allows. */
export class CallbackUrls {
  readonly settings: CallbackUrlSettings
  /** Whether the application defined the `redirect` callback, so that it must be called on every request. */
  readonly hasCallback: boolean
  readonly #redirect: Hooks['redirect']
  readonly #isFeaturePage: (path: string) => boolean
  readonly #logger: Logger

  /** @param isFeaturePage - Whether a sign-in may return to a path below the base path, such as `/account`. */
  constructor(
    settings: CallbackUrlSettings,
    redirect: Hooks['redirect'],
    isFeaturePage: (path: string) => boolean,
    logger: Logger
  ) {
    this.settings = settings
    this.hasCallback = redirect !== null
    this.#redirect = redirect
    this.#isFeaturePage = isFeaturePage
    this.#logger = logger
  }

  /**
   * Resolves the callback URL from body, query or cookie, in this order. It is validated whatever its source.
   *
   * @param ofSignIn - The callback URL that a sign-in has stored; `null` if it has stored none.
   */
  resolve(
    { body, query, cookies }: CallbackUrlSource,
    ofSignIn: string | null = null
  ): MaybePromise<ResolvedCallbackUrl> {
    const { cookie, home } = this.settings
    const remembered = cookies.get(cookie.name) ?? null
    const requested = ofSignIn ?? getText(body, 'callbackUrl') ?? getText(query, 'callbackUrl') ?? remembered
    return chain(requested ? this.toSafeUrl(requested) : home, (callbackUrl) => {
      const isKnown = callbackUrl === remembered || (remembered === null && callbackUrl === home)
      return { callbackUrl, cookies: isKnown ? noCookies : setCookie(cookie.name, callbackUrl, cookie.options, null) }
    })
  }

  /**
   * Calls the application's `redirect` callback for a request that does not redirect, and updates the cookie.
   *
   * next-auth v4 calls it on every request with a `callbackUrl`; applications rely on it to track the current page.
   */
  async refreshCookie(request: CallbackUrlSource): Promise<SetCookies> {
    const { cookies } = await this.resolve(request)
    return request.cookies.has(this.settings.cookie.name) ? cookies : noCookies
  }

  /**
   * Returns the allowed form of a requested URL, after calling the `redirect` callback.
   *
   * A URL that is invalid, or leads to another origin without the callback's permission, becomes the default. Without a callback, a
   * URL stays on the origin, as in v4.
   */
  toSafeUrl(requested: string): MaybePromise<string> {
    const { origin, home } = this.settings
    const target = this.#parse(requested)
    if (!target || this.#isOwnRoute(target)) return home
    if (this.#redirect) return this.#ask(this.#redirect, requested, target)
    return target.origin === origin ? toText(target) : origin
  }

  async #ask(redirect: NonNullable<Hooks['redirect']>, requested: string, target: URL): Promise<string> {
    const { origin, home } = this.settings
    // A path is passed to the callback unchanged, as in v4; `//other.example` starts like a path but is not one.
    const isPath = requested.startsWith('/') && target.origin === origin
    try {
      const result: unknown = await redirect({ url: isPath ? requested : target.href, baseUrl: origin })
      const allowed = typeof result === 'string' ? this.#parse(result) : null
      if (allowed) return toText(allowed)
      this.#logger.error(
        'REDIRECT_CALLBACK_ERROR',
        `callbacks.redirect returned ${describeKind(result)} that is no http(s) address`
      )
    } catch (error) {
      this.#logger.error('REDIRECT_CALLBACK_ERROR', error)
    }
    return home
  }

  /** @returns The URL as a browser parses it, or `null` if it is not http(s), too long or invalid. */
  #parse(url: string): URL | null {
    const { origin, maxLength } = this.settings
    const target = url.length > maxLength ? null : URL.parse(url, origin)
    if (!target) return null
    const isPlain = target.protocol === 'https:' || target.protocol === 'http:'
    // The cookie stores the URL in its serialized form: one character may become nine.
    const isShort = target.href.length <= maxLength
    return isPlain && isShort && target.username === '' && target.password === '' ? target : null
  }

  /** Rejects callback URLs that lead back to a sign-in route, which would cause a loop. */
  #isOwnRoute({ origin: targetOrigin, pathname }: URL): boolean {
    const { origin, basePath } = this.settings
    if (targetOrigin !== origin) return false
    if (pathname === basePath) return true
    return pathname.startsWith(`${basePath}/`) && !this.#isFeaturePage(pathname.slice(basePath.length))
  }
}
